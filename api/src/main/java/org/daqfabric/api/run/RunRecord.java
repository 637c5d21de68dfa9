package org.daqfabric.api.run;

import java.time.Instant;
import java.util.Optional;

/**
 * A run as recorded by the controller.
 *
 * @param ended empty while it is in progress
 * @param repairs repairs of failures during the run
 * @param movedDcms DCMs that those repairs and the steps for balance after them moved; a DCM counts once in each
 * @param lowestBandwidth lowest achievable Gbps of the partition during the run
 */
public record RunRecord(long number, Instant begun, Optional<Instant> ended, boolean aborted, int repairs,
        int movedDcms, double lowestBandwidth, Health worstHealth, RunLosses losses) {
    /** A run that begins. */
    public static RunRecord begin(long number, Instant now, Condition condition) {
        return new RunRecord(number, now, Optional.empty(), false, 0, 0, condition.achievable(), condition.health(),
            RunLosses.NONE);
    }

    /** Whether it was in progress at a time. */
    public boolean includes(Instant when) {
        return !when.isBefore(begun) && ended.map(when::isBefore).orElse(true);
    }

    public RunRecord end(Instant now, boolean abort) {
        return new RunRecord(number, begun, Optional.of(now), abort, repairs, movedDcms, lowestBandwidth, worstHealth,
            losses);
    }

    public RunRecord repaired(int moved) {
        return new RunRecord(number, begun, ended, aborted, repairs + 1, movedDcms + moved, lowestBandwidth,
            worstHealth, losses);
    }

    public RunRecord rebalanced(int moved) {
        return new RunRecord(number, begun, ended, aborted, repairs, movedDcms + moved, lowestBandwidth, worstHealth,
            losses);
    }

    public RunRecord seen(Condition condition) {
        return new RunRecord(number, begun, ended, aborted, repairs, movedDcms,
            Math.min(lowestBandwidth, condition.achievable()), worstHealth.worse(condition.health()), losses);
    }

    /** More packets were lost. */
    public RunRecord lost(RunLosses more) {
        return with(losses.plus(more));
    }

    public RunRecord with(RunLosses found) {
        return new RunRecord(number, begun, ended, aborted, repairs, movedDcms, lowestBandwidth, worstHealth, found);
    }
}
