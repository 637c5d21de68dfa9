package org.daqfabric.impl.ovsdb;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Limits;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Timing;

/** Settings for tests: the loopback address, the usual limits and short times. */
final class TestSettings {
    static final Timing QUICK = new Timing(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(10),
        Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofMillis(500), Duration.ofMillis(200),
        Duration.ofSeconds(2), Duration.ofMillis(50), Duration.ofMillis(500));

    private TestSettings() {
    }

    /**
     * With short times.
     *
     * @param port 0 for any
     */
    static OvsdbSettings listeningOn(int port) {
        return with(port, QUICK);
    }

    static OvsdbSettings with(int port, Timing timing) {
        return new OvsdbSettings(Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
            OvsdbSettings.OPENFLOW_PORT, Set.of(), Optional.empty(), Limits.USUAL, timing);
    }
}
