package org.daqfabric.impl.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.async.Clocks;
import org.eclipse.jdt.annotation.Nullable;

/**
 * How long ago daqrings of each fabric last dropped packets. What a node held back when it connected is by its own
 * clock; from when it is first seen here its age grows by a clock that nobody sets. At first sight the clock of this
 * machine tells it, as it is now or as it was when this controller started: if somebody has set it since, one of them
 * is right, and drops that look older than they are would raise no alarm. Thread-safe.
 */
final class DropAges {
    private final Clocks clocks;
    @GuardedBy("this")
    private final Map<String, Map<Episode, Seen>> seen = new HashMap<>();

    /** Which drops they are: nodes whose clocks differ do not tell them in their order. */
    private record Episode(String switchName, String dcm, Instant begin) {
        private static Episode of(DropEpisode told) {
            return new Episode(told.switchName(), told.dcm(), told.drops().begin());
        }
    }

    /**
     * What was seen of an episode.
     *
     * @param dropped packets until then
     * @param age of the last of them
     * @param at when that was, by the steady clock
     */
    private record Seen(long dropped, Duration age, Instant at) {
    }

    DropAges(Clocks clocks) {
        this.clocks = clocks;
    }

    /** The time since the newest drops of a fabric; empty if there are none. */
    synchronized Optional<Duration> of(String fabric, List<DropEpisode> drops) {
        Map<Episode, Seen> before = seen.getOrDefault(fabric, Map.of());
        Map<Episode, Seen> now = new HashMap<>();
        drops.forEach(each -> now.put(Episode.of(each), seen(each, before.get(Episode.of(each)))));
        seen.put(fabric, now);
        if (now.isEmpty()) {
            seen.remove(fabric);
        }
        Instant at = clocks.steady().instant();
        return now.values().stream().map(each -> each.age.plus(Duration.between(each.at, at)))
            .min(Comparator.naturalOrder());
    }

    private Seen seen(DropEpisode told, @Nullable Seen before) {
        RingDrops drops = told.drops();
        Instant now = clocks.steady().instant();
        if (before != null) {
            // one that goes on is new again
            return drops.dropped() > before.dropped ? new Seen(drops.dropped(), Duration.ZERO, now) : before;
        }
        Instant end = told.began().plus(drops.lasted());
        Duration asSet = age(end, clocks.wall().instant());
        Duration asBegun = age(end, now);
        return new Seen(drops.dropped(), asSet.compareTo(asBegun) < 0 ? asSet : asBegun, now);
    }

    private static Duration age(Instant end, Instant now) {
        Duration age = Duration.between(end, now);
        return age.isNegative() ? Duration.ZERO : age;
    }
}
