package org.daqfabric.impl.engine.rollout;

import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.impl.engine.place.Scope;

/**
 * Why a fabric is placed again, which determines what may move. A failure moves only the addresses it affects. A new
 * configuration, a link that has returned or a request may move any address if the result is better, unless a run is in
 * progress that allows repairs only.
 *
 * @param restarted whether the controller has just started: the stored decision is kept until the switches have
 *     reported which links are up
 * @param reconfigured whether there is a new configuration
 * @param linksBack whether links are usable that the last placement could not use
 * @param requested whether the operator or run control asked for it
 * @param repairsOnly whether a run is in progress that allows repairs only
 */
public record Replan(boolean restarted, boolean reconfigured, boolean linksBack, boolean requested,
        boolean repairsOnly) {
    /** What may move. */
    public Scope scope() {
        boolean mayImprove = reconfigured || linksBack || requested;
        return !restarted && mayImprove && !repairsOnly ? Scope.OPTIMISE : Scope.REPAIR;
    }

    /** Whether some link is usable now that was not usable before. */
    public static boolean linksBack(UnusableLinks before, UnusableLinks now) {
        return !now.down().containsAll(before.down());
    }
}
