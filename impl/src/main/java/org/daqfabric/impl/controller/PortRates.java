package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How fast the ports of a switch have counted bytes in the last half minute. Open vSwitch updates its counters every
 * five seconds only, so that less time would tell little.
 *
 * @param readings oldest first
 */
record PortRates(List<Reading> readings) {
    static final PortRates UNKNOWN = new PortRates(List.of());

    /** Three readings back, and not the fourth if one came late. */
    private static final Duration WINDOW = StatisticsPoller.INTERVAL.multipliedBy(7).dividedBy(2);

    /** Rates are told in steps of 0.1 Mbps, so that a link without events does not change the state. */
    private static final double STEPS_PER_GBPS = 1e4;

    private static final int BITS_PER_BYTE = 8;

    PortRates {
        readings = List.copyOf(readings);
    }

    /**
     * What the ports of the switch had counted.
     *
     * @param bytes by port
     */
    record Reading(Instant at, SortedMap<String, Bytes> bytes) {
    }

    /** The bytes of one port. */
    record Bytes(long received, long transmitted) {
        /** Whether no counter began again between another, earlier count and this one. */
        private boolean continues(Bytes earlier) {
            return received >= earlier.received && transmitted >= earlier.transmitted;
        }
    }

    /**
     * After another reading.
     *
     * @param statistics by port, by their names in OVSDB
     */
    PortRates after(Instant now, Map<String, Map<String, Long>> statistics) {
        SortedMap<String, Bytes> bytes = new TreeMap<>();
        statistics.forEach((port, counted) -> {
            if (counted.containsKey("rx_bytes") && counted.containsKey("tx_bytes")) {
                bytes.put(port, new Bytes(counted.get("rx_bytes"), counted.get("tx_bytes")));
            }
        });
        List<Reading> kept = new ArrayList<>(readings);
        kept.removeIf(reading -> !reading.at.isAfter(now.minus(WINDOW)) || !reading.at.isBefore(now));
        kept.add(new Reading(now, bytes));
        return new PortRates(kept);
    }

    /** Gbps that a port receives; empty if that is not known, as of a switch that has not answered lately. */
    OptionalDouble received(String port, Instant now) {
        return rate(port, now, true);
    }

    /** Gbps that a port transmits. */
    OptionalDouble transmitted(String port, Instant now) {
        return rate(port, now, false);
    }

    private OptionalDouble rate(String port, Instant now, boolean received) {
        if (readings.isEmpty() || newest().at.isBefore(now.minus(WINDOW)) || !newest().bytes.containsKey(port)) {
            return OptionalDouble.empty();
        }
        Bytes last = newest().bytes.get(port);
        int oldest = readings.size() - 1;
        for (int i = oldest - 1; i >= 0 && continues(i, port); i--) {
            oldest = i;
        }
        Bytes first = readings.get(oldest).bytes.get(port);
        long nanos = Duration.between(readings.get(oldest).at, newest().at).toNanos();
        long bytes = received ? last.received - first.received : last.transmitted - first.transmitted;
        return nanos == 0 ? OptionalDouble.empty()
            : OptionalDouble.of(Math.rint((double) bytes * BITS_PER_BYTE / nanos * STEPS_PER_GBPS) / STEPS_PER_GBPS);
    }

    private boolean continues(int reading, String port) {
        Bytes earlier = readings.get(reading).bytes.get(port);
        return earlier != null && readings.get(reading + 1).bytes.get(port).continues(earlier);
    }

    private Reading newest() {
        return readings.get(readings.size() - 1);
    }
}
