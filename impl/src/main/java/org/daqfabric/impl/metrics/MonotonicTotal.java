package org.daqfabric.impl.metrics;

import java.util.HashMap;
import java.util.Map;

/**
 * Adds up counts of things that come, go and begin anew at 0, without ever becoming less. The counts of what is there
 * when it begins count in full.
 */
final class MonotonicTotal {
    private Map<String, Long> last = new HashMap<>();
    private long sum;

    /** Takes the counts of all things there are, by name, and returns the sum of all there ever were. */
    long update(Map<String, Long> now) {
        now.forEach((name, count) -> {
            long before = last.getOrDefault(name, 0L);
            sum += count < before ? count : count - before;
        });
        last = Map.copyOf(now);
        return sum;
    }
}
