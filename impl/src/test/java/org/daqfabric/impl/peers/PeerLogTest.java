package org.daqfabric.impl.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lines of the log about peers in no fabric. */
class PeerLogTest {
    private final PeerLog log = new PeerLog();

    @Test
    void theSameIsLoggedOnceAndWhateverDiffersAFewTimes() {
        assertThat(log.isLogged("10.0.0.1", "came")).isTrue();
        assertThat(log.isLogged("10.0.0.1", "came")).isFalse();
        assertThat(IntStream.range(0, 1000).filter(each -> log.isLogged("10.0.0.1", "is called " + each)).count())
            .isEqualTo(PeerLog.LINES - 1);
        assertThat(log.isLogged("10.0.0.1", "left")).isFalse();
        assertThat(log.isLogged("10.0.0.2", "came")).as("another address").isTrue();
    }
}
