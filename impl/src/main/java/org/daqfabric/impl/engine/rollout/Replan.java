package org.daqfabric.impl.engine.rollout;

import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.impl.engine.place.Scope;

/**
 * Why a fabric is placed again, and so what may move. A failure moves only what it touched. A new configuration, a link
 * that is back or a request may move anything that gains by it, unless a run is in progress that wants to be left alone.
 *
 * @param restarted whether the controller has just started: what was decided before is kept until the switches have
 *     reported what is up
 * @param reconfigured whether there is a new configuration
 * @param linksBack whether links can be used that could not be used in the last placement
 * @param requested whether the operator or run control asked for it
 * @param repairsOnly whether a run is in progress that allows repairs only
 */
public record Replan(boolean restarted, boolean reconfigured, boolean linksBack, boolean requested,
        boolean repairsOnly) {
    /** What may move. */
    public Scope scope() {
        boolean gainful = reconfigured || linksBack || requested;
        return !restarted && gainful && !repairsOnly ? Scope.OPTIMISE : Scope.REPAIR;
    }

    /** Whether some link can be used now that could not be used before. */
    public static boolean linksBack(UnusableLinks before, UnusableLinks now) {
        return !now.down().containsAll(before.down());
    }
}
