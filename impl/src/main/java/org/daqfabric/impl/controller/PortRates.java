package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
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
 * @param rates what they show, by port: it is asked for much more often than there is a reading
 */
record PortRates(List<Reading> readings, Map<String, Rate> rates) {
    static final PortRates UNKNOWN = new PortRates(List.of());

    /** Three readings back, and not the fourth if one came late. */
    private static final Duration WINDOW = StatisticsPoller.INTERVAL.multipliedBy(7).dividedBy(2);

    /** Rates are told in steps of 0.1 Mbps, so that a link without events does not change the state. */
    private static final double STEPS_PER_GBPS = 1e4;

    private static final int BITS_PER_BYTE = 8;

    private PortRates(List<Reading> readings) {
        this(List.copyOf(readings), rates(readings));
    }

    /** Gbps; empty if there is one reading only. */
    private record Rate(OptionalDouble received, OptionalDouble transmitted) {
        static final Rate UNKNOWN = new Rate(OptionalDouble.empty(), OptionalDouble.empty());
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
        return rate(port, now).received;
    }

    /** Gbps that a port transmits. */
    OptionalDouble transmitted(String port, Instant now) {
        return rate(port, now).transmitted;
    }

    private Rate rate(String port, Instant now) {
        return readings.isEmpty() || readings.getLast().at.isBefore(now.minus(WINDOW)) ? Rate.UNKNOWN
            : rates.getOrDefault(port, Rate.UNKNOWN);
    }

    private static Map<String, Rate> rates(List<Reading> readings) {
        Map<String, Rate> rates = new HashMap<>();
        if (!readings.isEmpty()) {
            readings.getLast().bytes.forEach((port, last) -> rates.put(port, rate(readings, port, last)));
        }
        return Map.copyOf(rates);
    }

    private static Rate rate(List<Reading> readings, String port, Bytes last) {
        Reading oldest = readings.getLast();
        for (Reading earlier : readings.reversed()) {
            Bytes counted = earlier.bytes.get(port);
            if (counted == null || !oldest.bytes.get(port).continues(counted)) {
                break;
            }
            oldest = earlier;
        }
        Bytes first = oldest.bytes.get(port);
        long nanos = Duration.between(oldest.at, readings.getLast().at).toNanos();
        return nanos == 0 ? Rate.UNKNOWN
            : new Rate(gbps(last.received - first.received, nanos), gbps(last.transmitted - first.transmitted, nanos));
    }

    private static OptionalDouble gbps(long bytes, long nanos) {
        return OptionalDouble.of(Math.rint((double) bytes * BITS_PER_BYTE / nanos * STEPS_PER_GBPS) / STEPS_PER_GBPS);
    }
}
