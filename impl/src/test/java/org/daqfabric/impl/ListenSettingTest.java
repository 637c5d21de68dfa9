package org.daqfabric.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenSettingTest {
    @ParameterizedTest
    @CsvSource({ "10.0.0.1, 10.0.0.1", "' 0.0.0.0 ', 0.0.0.0", "fd00:73::1, fd00:73::1", "[fd00:73::1], fd00:73::1",
        "::, ::" })
    void addressesOfEveryForm(String written, String expected) throws Exception {
        assertThat(of(written)).contains(new InetSocketAddress(InetAddress.getByName(expected), 6640));
    }

    @Test
    void aNameOfThisMachine() {
        assertThat(of("localhost").orElseThrow().getAddress().isLoopbackAddress()).isTrue();
    }

    @Test
    void noListener() {
        assertThat(of(" ")).isEmpty();
        assertThat(ListenSetting.of("ovsdb-address", "10.0.0.1:6640", 0)).isEmpty();
    }

    /** It names the setting, and says what to write: nothing else of the controller may run then. */
    @ParameterizedTest
    @CsvSource({ "10.0.0.1:6640", "[fd00:73::1" })
    void whatIsNoAddress(String written) {
        assertThatThrownBy(() -> of(written)).hasMessageStartingWith("etc/org.daqfabric.cfg: ovsdb-address=" + written
            + " is no IP address, nor a name that this machine knows: write this machine's address");
    }

    private static Optional<InetSocketAddress> of(String written) {
        return ListenSetting.of("ovsdb-address", written, 6640);
    }
}
