package org.daqfabric.impl.metrics;

import java.util.EnumMap;
import java.util.Map;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.metrics.FabricMetrics.PortStatistics;

/** Samples of link port statistics. Counters that Open vSwitch does not have for a type of port are left out. */
final class PortSamples {
    private static final Map<Family, String> COLUMNS = new EnumMap<>(Map.of(
        Family.PORT_RECEIVED_BYTES, "rx_bytes",
        Family.PORT_TRANSMITTED_BYTES, "tx_bytes",
        Family.PORT_RECEIVED_PACKETS, "rx_packets",
        Family.PORT_TRANSMITTED_PACKETS, "tx_packets",
        Family.PORT_RECEIVED_DROPPED, "rx_dropped",
        Family.PORT_TRANSMITTED_DROPPED, "tx_dropped",
        Family.PORT_RECEIVED_ERRORS, "rx_errors",
        Family.PORT_TRANSMITTED_ERRORS, "tx_errors",
        Family.PORT_SOCKET_DROPPED, PortReading.SOCKET_DROPS));

    private PortSamples() {
    }

    static void collect(FabricSpec spec, Map<String, PortStatistics> switches, Samples samples) {
        switches.forEach((name, read) -> samples.add(Family.STATISTICS_READ,
            read.when().toEpochMilli() / 1000.0, spec.name(), name));
        PortPlanes.of(spec).ports().forEach((port, plane) -> {
            PortStatistics statistics = switches.get(port.switchName());
            Map<String, Long> counts = statistics == null ? Map.of()
                : statistics.ports().getOrDefault(port.port(), Map.of());
            COLUMNS.forEach((family, column) -> {
                Long count = counts.get(column);
                if (count != null && count >= 0) {
                    samples.add(family, count, spec.name(), port.switchName(), port.port(), plane);
                }
            });
        });
    }
}
