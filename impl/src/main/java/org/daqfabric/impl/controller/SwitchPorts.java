package org.daqfabric.impl.controller;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.controller.spi.PortReading.Line;
import org.daqfabric.impl.engine.loss.HostLosses;

/**
 * What is known of a switch's ports beside their counters.
 *
 * @param lines by port, without those of which nothing is known
 * @param missed packets, by port, that the card received and nobody took in time, as far as the port counts them
 * @param missing ports that have missed packets since the reading before
 * @param host what the host's kernel has dropped
 */
record SwitchPorts(SortedMap<String, Line> lines, SortedMap<String, Long> missed, SortedSet<String> missing,
        HostLosses host) {
    static final SwitchPorts UNKNOWN = new SwitchPorts(Collections.emptySortedMap(), Collections.emptySortedMap(),
        Collections.emptySortedSet(), HostLosses.UNKNOWN);

    /** After another reading. */
    SwitchPorts after(Map<String, PortReading> read) {
        SortedMap<String, Line> linesNow = new TreeMap<>();
        SortedMap<String, Long> missedNow = new TreeMap<>();
        SortedSet<String> missingNow = new TreeSet<>();
        read.forEach((port, reading) -> {
            if (!reading.line().equals(Line.UNKNOWN)) {
                linesNow.put(port, reading.line());
            }
            Long count = reading.statistics().get("rx_missed_errors");
            if (count != null) {
                missedNow.put(port, count);
                if (count > missed.getOrDefault(port, Long.MAX_VALUE)) {
                    missingNow.add(port);
                }
            }
        });
        return new SwitchPorts(linesNow, missedNow, missingNow, host.after(counts(read, PortReading.SOCKET_DROPS),
            counts(read, PortReading.BACKLOG_DROPS).values().stream().mapToLong(Long::longValue).max()));
    }

    private static Map<String, Long> counts(Map<String, PortReading> read, String statistic) {
        return read.entrySet().stream().filter(each -> each.getValue().statistics().containsKey(statistic))
            .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().statistics().get(statistic)));
    }

    /** Whether the fabric's state shows the ports of both alike. */
    boolean looksLike(SwitchPorts other) {
        return lines.equals(other.lines) && missing.equals(other.missing);
    }
}
