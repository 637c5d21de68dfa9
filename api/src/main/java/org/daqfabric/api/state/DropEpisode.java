package org.daqfabric.api.state;

import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A daqring dropped packets.
 *
 * @param dcm whose packets they were: a DCM, or in an edge switch who sent control
 * @param run the run that was in progress in the DCM's partition when it began; empty if there was none
 */
public record DropEpisode(String switchName, String dcm, RingDrops drops, Optional<Run> run) {
    /** A run of a partition. */
    public record Run(String partition, long number) {
    }

    /** An episode of which it is not known yet whether it was in a run. */
    public static DropEpisode begun(String switchName, String dcm, RingDrops drops) {
        return new DropEpisode(switchName, dcm, drops, Optional.empty());
    }

    public DropEpisode in(Optional<Run> found) {
        return new DropEpisode(switchName, dcm, drops, found);
    }

    /** The daqring, the packets, the time and the run. */
    public String inWords() {
        return "that of " + dcm + " in " + switchName + ", which held " + drops.peak() + ", " + drops.dropped()
            + " packets within " + (drops.lasted().toMillis() + 1) + " ms from "
            + drops.begin().truncatedTo(ChronoUnit.MILLIS) + " on, "
            + run.map(known -> "in run " + known.number() + " of partition " + known.partition()).orElse("in no run");
    }

    /** Whether another record is an earlier or later one of the same episode. */
    public boolean isSame(DropEpisode other) {
        return switchName.equals(other.switchName) && dcm.equals(other.dcm)
            && drops.begin().equals(other.drops.begin());
    }
}
