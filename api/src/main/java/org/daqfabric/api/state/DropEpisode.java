package org.daqfabric.api.state;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A daqring dropped packets.
 *
 * @param dcm whose packets they were: a DCM, or in an edge switch who sent control
 * @param began its first drop by the clock of the controller: that which the switch has told, unless it cannot be
 * @param run the run that was in progress in the DCM's partition when it began; empty if there was none
 */
public record DropEpisode(String switchName, String dcm, RingDrops drops, Instant began, Optional<Run> run) {
    /** A run of a partition. */
    public record Run(String partition, long number) {
    }

    /** An episode of which it is not known yet whether it was in a run, from a switch whose clock is right. */
    public static DropEpisode begun(String switchName, String dcm, RingDrops drops) {
        return new DropEpisode(switchName, dcm, drops, drops.begin(), Optional.empty());
    }

    public DropEpisode in(Optional<Run> found) {
        return new DropEpisode(switchName, dcm, drops, began, found);
    }

    public DropEpisode at(Instant time) {
        return new DropEpisode(switchName, dcm, drops, time, run);
    }

    /** The daqring, the packets, the time and the run. */
    public String inWords() {
        return "that of " + dcm + " in " + switchName + ", which held " + drops.peak() + ", " + drops.dropped()
            + " packets within " + (drops.lasted().toMillis() + 1) + " ms from "
            + began.truncatedTo(ChronoUnit.MILLIS) + " on"
            + (began.equals(drops.begin()) ? "" : " (the clock of " + switchName + " said "
                + drops.begin().truncatedTo(ChronoUnit.MILLIS) + ": set it right)") + ", "
            + run.map(known -> "in run " + known.number() + " of partition " + known.partition()).orElse("in no run");
    }

    /** Whether another record is an earlier or later one of the same episode. */
    public boolean isSame(DropEpisode other) {
        return switchName.equals(other.switchName) && dcm.equals(other.dcm)
            && drops.begin().equals(other.drops.begin());
    }
}
