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
        int movedDcms, double lowestBandwidth, Health worstHealth) {
    /** A run that begins. */
    public static RunRecord begin(long number, Instant now, Condition condition) {
        return new RunRecord(number, now, Optional.empty(), false, 0, 0, condition.achievable(), condition.health());
    }

    /** Whether it was in progress at a time. */
    public boolean includes(Instant when) {
        return !when.isBefore(begun) && ended.map(when::isBefore).orElse(true);
    }

    public RunRecord end(Instant now, boolean abort) {
        return new RunRecord(number, begun, Optional.of(now), abort, repairs, movedDcms, lowestBandwidth, worstHealth);
    }

    public RunRecord repaired(int moved) {
        return new RunRecord(number, begun, ended, aborted, repairs + 1, movedDcms + moved, lowestBandwidth,
            worstHealth);
    }

    public RunRecord rebalanced(int moved) {
        return new RunRecord(number, begun, ended, aborted, repairs, movedDcms + moved, lowestBandwidth, worstHealth);
    }

    public RunRecord seen(Condition condition) {
        return new RunRecord(number, begun, ended, aborted, repairs, movedDcms,
            Math.min(lowestBandwidth, condition.achievable()), worstHealth.worse(condition.health()));
    }
}
