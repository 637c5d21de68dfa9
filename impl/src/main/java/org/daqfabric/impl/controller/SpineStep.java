package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.spi.Decision;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The first step of a repair after links have failed: it replaces the spines that were lost by others of their planes,
 * and planes that do not lead to a pod any more by the next of the routes. The second step, the placement, is decided
 * from what was in force before the first, when the switches have confirmed the first. Belongs to the fabric's event
 * loop.
 */
final class SpineStep {
    /** How long a switch that does not confirm the first step may delay the second. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private final FabricModel model;
    private final EventLoop loop;
    /** What was in force before the first step; null if a placement is in force. */
    private @Nullable Decision before;
    /** Number of the newest first step; the end of its patience concerns no other. */
    private long number;
    private boolean isAwaited;

    SpineStep(FabricModel model, EventLoop loop) {
        this.model = model;
        this.loop = loop;
    }

    /** A first step is about to come into force, perhaps after another. */
    void begin() {
        before = from();
        isAwaited = true;
        long begun = ++number;
        loop.after(PATIENCE, () -> endWait(begun));
    }

    /** The switches have confirmed what is in force. */
    void confirmed() {
        if (isAwaited) {
            // an event of its own: what is due was decided earlier in this one
            long begun = number;
            loop.then(CompletableFuture.completedFuture(null), (done, failure) -> endWait(begun));
        }
    }

    private void endWait(long begun) {
        isAwaited = isAwaited && begun != number;
    }

    /** A placement has come into force. */
    void end() {
        before = null;
        isAwaited = false;
    }

    /** Whether the first step is in force, and the second is not. */
    boolean isUnderWay() {
        return before != null;
    }

    /** Whether the switches have still to confirm the first step. */
    boolean isAwaited() {
        return isAwaited;
    }

    /** What the next placement is decided from: the newest one that is, or will be, stored. */
    Decision from() {
        return before == null ? model.decision() : before;
    }
}
