package org.daqfabric.impl.runcontrol;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.RunRecord;
import org.daqfabric.impl.async.Clocks;

/**
 * How long runs last, and which repairs are theirs. What is shown of a run are the moment at which it began, and that
 * moment with its duration: somebody may set the clock while it goes on. Of a run that another controller began, or
 * this one before it was restarted, only the times are known. For one thread.
 */
final class RunClock {
    private final Clocks clocks;
    private final Map<String, Begin> begins = new HashMap<>();

    /**
     * When the newest run of a partition began.
     *
     * @param shown as it is shown, by which the run is known again
     * @param steady by a clock that nobody sets
     * @param earlier the repairs, and second steps of repairs, that were not of this run, by their times
     */
    private record Begin(Instant shown, Instant steady, Set<Instant> earlier) {
    }

    RunClock(Clocks clocks) {
        this.clocks = clocks;
    }

    /** A run begins unless it cannot be stored; it is tried again then. */
    void began(Partition partition, Set<Instant> earlier) {
        RunRecord run = partition.run().orElseThrow();
        begins.put(partition.name(), new Begin(run.begun(), clocks.steady().instant(), Set.copyOf(earlier)));
    }

    /** A partition whose run ends now, with the time of that end. */
    Partition ended(Partition partition) {
        RunRecord run = partition.run().orElseThrow();
        Begin begin = begins.get(partition.name());
        Instant now = clocks.wall().instant();
        Instant end = begin != null && begin.shown.equals(run.begun())
            ? run.begun().plus(Duration.between(begin.steady, clocks.steady().instant()))
            : now.isBefore(run.begun()) ? run.begun() : now;
        return partition.with(run.end(end, run.aborted()));
    }

    /** Whether a repair, or the second step of one, was there before the newest run of a partition began. */
    boolean isEarlier(Partition partition, Instant when) {
        Begin begin = begins.get(partition.name());
        return begin != null && begin.earlier.contains(when);
    }

    void keepOnly(Set<String> partitions) {
        begins.keySet().retainAll(partitions);
    }
}
