package org.daqfabric.impl.metrics;

import java.util.HashMap;
import java.util.Map;

/**
 * The sum of counters whose owners come, go and restart at 0; it never decreases. A counter that is new is added in
 * full.
 */
final class MonotonicTotal {
    private Map<String, Long> last = new HashMap<>();
    private long sum;

    /** Takes the present counters by name and returns the sum over all there ever were. */
    long update(Map<String, Long> now) {
        now.forEach((name, count) -> {
            long before = last.getOrDefault(name, 0L);
            sum += count < before ? count : count - before;
        });
        last = Map.copyOf(now);
        return sum;
    }
}
