package org.daqfabric.impl.controller.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.Rebalanced;
import org.daqfabric.api.state.FabricState.Repair;
import org.daqfabric.impl.async.Clocks;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Measures repairs, from the first event of a failure to the last barrier that traffic depends on, and the second steps
 * of repairs, which move DCMs for balance.
 */
public final class RepairClock {
    private final Clocks clocks;
    /** When the first event of the present burst arrived; null between bursts. */
    private @Nullable Instant burst;
    private @Nullable Repair last;
    private int sentBefore;
    /** When the newest repair was detected, by the steady clock: what is shown of it are that moment and durations. */
    private Instant detected = Instant.EPOCH;
    private boolean adopted = true;
    /** The newest second step; null if there was none. */
    private @Nullable Rebalanced rebalanced;
    private Instant begun = Instant.EPOCH;
    private int sentBeforeBalance;
    private boolean placed = true;

    public RepairClock(Clocks clocks) {
        this.clocks = clocks;
    }

    /**
     * An event arrived. A failure counts as detected at the first event of its burst.
     *
     * @param arrived when, by the steady clock
     */
    public void event(Instant arrived) {
        if (burst == null) {
            burst = arrived;
        }
    }

    /** The burst of events has been handled. */
    public void settled() {
        burst = null;
    }

    /**
     * Links have failed: a repair begins.
     *
     * @param what has happened to them
     * @param sent number of messages sent before it
     */
    public void failure(String what, Collection<PortId> links, int sent) {
        Instant now = clocks.steady().instant();
        detected = burst == null ? now : burst;
        Instant shown = clocks.wall().instant().minus(Duration.between(detected, now));
        String names = links.stream().limit(8).map(PortId::toString).collect(Collectors.joining(", "));
        String cause = what + ": " + names + (links.size() > 8 ? " and " + (links.size() - 8) + " more" : "");
        last = new Repair(cause, shown, shown, Optional.empty(), 0, 0);
        sentBefore = sent;
        adopted = false;
        forgetOvertaken();
    }

    /** A second step that is overtaken before it has moved anything is not told. */
    private void forgetOvertaken() {
        if (!placed) {
            rebalanced = null;
            placed = true;
        }
    }

    /** The placement that repairs the failure has been computed. */
    public void computed(int moved) {
        if (isUnderWay()) {
            last = new Repair(last.cause(), last.detected(), since(last.detected(), detected), Optional.empty(), moved,
                last.messages());
        }
    }

    /** The decision that repairs the failure is in force. */
    public void adopted() {
        adopted = true;
    }

    /**
     * A second step has been computed.
     *
     * @param moved number of DCMs that it moves; if none it is not told
     * @param sent number of messages sent before it
     */
    public void balanced(int moved, int sent) {
        forgetOvertaken();
        if (last != null && moved > 0) {
            begun = clocks.steady().instant();
            rebalanced = new Rebalanced(last.cause(), clocks.wall().instant(), Optional.empty(), moved, 0);
            sentBeforeBalance = sent;
            placed = false;
        }
    }

    /** A placement is in force, which is no first step of a repair. */
    public void placed() {
        placed = true;
    }

    /**
     * Every connected switch has confirmed what its program adds or changes.
     *
     * @param sent number of messages sent so far
     */
    public void confirmed(int sent) {
        if (adopted && isUnderWay()) {
            last = new Repair(last.cause(), last.detected(), last.computed(),
                Optional.of(since(last.detected(), detected)), last.movedDcms(), sent - sentBefore);
        }
        if (placed && isBalancing()) {
            rebalanced = new Rebalanced(rebalanced.cause(), rebalanced.begun(),
                Optional.of(since(rebalanced.begun(), begun)), rebalanced.movedDcms(), sent - sentBeforeBalance);
        }
    }

    /** Now, as it is shown: the moment that is shown of a beginning, and the time that has passed since. */
    private Instant since(Instant shown, Instant beginning) {
        return shown.plus(Duration.between(beginning, clocks.steady().instant()));
    }

    /** Whether a repair has begun and is not confirmed. */
    public boolean isUnderWay() {
        return last != null && last.confirmed().isEmpty();
    }

    private boolean isBalancing() {
        return rebalanced != null && rebalanced.confirmed().isEmpty();
    }

    /** Whether a repair, or its second step, has begun and is not confirmed. */
    public boolean isBusy() {
        return isUnderWay() || isBalancing();
    }

    /** The newest second step of a repair; empty if none has moved a DCM. */
    public Optional<Rebalanced> rebalanced() {
        return Optional.ofNullable(rebalanced);
    }

    /** The newest repair; empty if no link has failed. */
    public Optional<Repair> last() {
        return Optional.ofNullable(last);
    }
}
