package org.daqfabric.impl.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The share of the last minute that went into collecting garbage. Thread-safe. */
final class CollectorShare {
    private static final Duration WINDOW = Duration.ofMinutes(1);

    @GuardedBy("this")
    private final Deque<Reading> readings = new ArrayDeque<>();

    private record Reading(Duration up, Duration collecting) {
    }

    /**
     * Looks at the collector.
     *
     * @param up the time since the controller started
     * @param collecting how much of that went into collecting
     * @return 0..1; 0 in the first minute
     */
    synchronized double look(Duration up, Duration collecting) {
        readings.add(new Reading(up, collecting));
        Reading from = readings.remove();
        while (!readings.isEmpty() && readings.element().up.compareTo(up.minus(WINDOW)) <= 0) {
            from = readings.remove();
        }
        readings.addFirst(from);
        Duration between = up.minus(from.up);
        return between.compareTo(WINDOW) < 0 ? 0
            : (double) collecting.minus(from.collecting).toMillis() / between.toMillis();
    }
}
