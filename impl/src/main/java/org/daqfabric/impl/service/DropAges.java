package org.daqfabric.impl.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.async.Clocks;

/**
 * How long ago daqrings of each fabric last dropped packets. A node tells that by its own clock; from when it is first
 * seen here its age grows by a clock that nobody sets. Thread-safe.
 */
final class DropAges {
    private final Clocks clocks;
    @GuardedBy("this")
    private final Map<String, Seen> newest = new HashMap<>();

    /**
     * What was seen of a fabric.
     *
     * @param begin of the newest drops, as their node tells
     * @param age at first sight
     * @param first when that was, by the steady clock
     */
    private record Seen(Instant begin, Duration age, Instant first) {
    }

    DropAges(Clocks clocks) {
        this.clocks = clocks;
    }

    /** The time since the newest drops; empty if there are none. */
    synchronized Optional<Duration> of(FabricState state) {
        Optional<Instant> begin = state.drops().stream().findFirst().map(DropEpisode::drops).map(each -> each.begin());
        if (begin.isEmpty()) {
            newest.remove(state.fabric());
            return Optional.empty();
        }
        Instant now = clocks.steady().instant();
        Seen seen = newest.get(state.fabric());
        if (seen == null || !seen.begin.equals(begin.get())) {
            Duration age = Duration.between(begin.get(), clocks.wall().instant());
            seen = new Seen(begin.get(), age.isNegative() ? Duration.ZERO : age, now);
            newest.put(state.fabric(), seen);
        }
        return Optional.of(seen.age.plus(Duration.between(seen.first, now)));
    }
}
