package org.daqfabric.impl.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.impl.async.Clocks;

/**
 * How long ago daqrings of each fabric last dropped packets. A node tells that by its own clock; from when it is first
 * seen here its age grows by a clock that nobody sets. At first sight the clock of this machine tells it, as it is now
 * or as it was when this controller started: if somebody has set it since, one of them is right, and drops that look
 * older than they are would raise no alarm. Thread-safe.
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

    /**
     * The time since the newest drops of a fabric; empty if there are none.
     *
     * @param drops newest first
     */
    synchronized Optional<Duration> of(String fabric, List<DropEpisode> drops) {
        Optional<Instant> begin = drops.stream().findFirst().map(DropEpisode::drops).map(each -> each.begin());
        if (begin.isEmpty()) {
            newest.remove(fabric);
            return Optional.empty();
        }
        Instant now = clocks.steady().instant();
        Seen seen = newest.get(fabric);
        if (seen == null || !seen.begin.equals(begin.get())) {
            Duration asSet = age(begin.get(), clocks.wall().instant());
            Duration asBegun = age(begin.get(), now);
            seen = new Seen(begin.get(), asSet.compareTo(asBegun) < 0 ? asSet : asBegun, now);
            newest.put(fabric, seen);
        }
        return Optional.of(seen.age.plus(Duration.between(seen.first, now)));
    }

    private static Duration age(Instant begin, Instant now) {
        Duration age = Duration.between(begin, now);
        return age.isNegative() ? Duration.ZERO : age;
    }
}
