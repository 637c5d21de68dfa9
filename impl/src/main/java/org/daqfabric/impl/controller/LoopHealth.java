package org.daqfabric.impl.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.async.Backoff;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.async.SerialLoop;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.Recorder.LoopState;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The failures of a fabric's event loop, and what a loop that is replaced because of them leaves to the next. Whatever
 * an event throws, what it was about is lost and what it was changing may be half changed: only a new loop that is told
 * everything again is sure to be right. Thread-safe.
 */
final class LoopHealth {
    /** Without a failure for so long, the next one counts as the first. */
    static final Duration CALM = Duration.ofMinutes(5);
    private static final Backoff FIRST_PAUSE = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final Clocks clocks;
    private final AtomicLong failures = new AtomicLong();
    private volatile boolean failed;
    private volatile @Nullable SerialLoop loop;
    /** Since when the decision in force has not been stored; null if it is. */
    private volatile @Nullable Moment unstoredSince;
    private volatile @Nullable Decision left;
    /** The configuration that was in force with it; null if that does not matter. */
    private volatile @Nullable FabricSpec leftSpec;
    private volatile Map<MarkedBridge, Bridge> leftBridges = Map.of();
    private volatile UnusableLinks leftUnusable = UnusableLinks.ALL_UP;
    /** Callers of {@link FabricLoop#control} that are not answered. */
    private final Set<CompletableFuture<FabricStatus>> waiting = ConcurrentHashMap.newKeySet();
    private volatile Set<CompletableFuture<FabricStatus>> leftWaiting = Set.of();
    private volatile Set<CompletionStage<Void>> leftWrites = Set.of();
    @GuardedBy("this")
    private long rebuilds;
    @GuardedBy("this")
    private Backoff pause = FIRST_PAUSE;
    @GuardedBy("this")
    private Instant lastRebuild = Instant.MIN;

    /** One moment by both clocks. */
    private record Moment(Instant wall, Instant steady) {
    }

    LoopHealth(Clocks clocks) {
        this.clocks = clocks;
    }

    /** The loop in use from now on. */
    void runs(SerialLoop now) {
        loop = now;
    }

    /** An event has thrown something. Needs no memory. */
    void failed() {
        failures.incrementAndGet();
        failed = true;
    }

    /** Does what must not fail unnoticed, such as posting an event. */
    void noting(Runnable action) {
        boolean done = false;
        try {
            action.run();
            done = true;
        } finally {
            if (!done) {
                failed();
            }
        }
    }

    /** Whether an event has failed since the loop was built. */
    boolean hasFailed() {
        return failed;
    }

    /** Whether to replace the loop now; true counts as done. The pause before the next time doubles up to a minute. */
    synchronized boolean beginRebuild() {
        Instant now = clocks.steady().instant();
        boolean calm = lastRebuild.equals(Instant.MIN) || now.isAfter(lastRebuild.plus(CALM));
        if (!failed || !calm && now.isBefore(lastRebuild.plus(pause.pause()))) {
            return false;
        }
        pause = calm ? FIRST_PAUSE : pause.doubled();
        lastRebuild = now;
        rebuilds++;
        failed = false;
        return true;
    }

    /** The decision in force is not stored, from now on if it was before. */
    void unstored() {
        if (unstoredSince == null) {
            unstoredSince = new Moment(clocks.wall().instant(), clocks.steady().instant());
        }
    }

    /** The decision in force is stored. */
    void stored() {
        unstoredSince = null;
    }

    /** Since when the decision in force has not been stored; empty if it is. */
    Optional<Instant> unstoredSince() {
        return Optional.ofNullable(unstoredSince).map(Moment::wall);
    }

    /**
     * The loop ends and leaves the decision in force and those who wait to the next one. If it has none it has not
     * taken over yet what the loop before it left, which stays.
     *
     * @param spec the configuration from which the next loop goes on; null if it begins with the newest
     * @param bridges what the switches were given
     * @param unusable links that were not used
     * @param writes those to the store without an answer
     */
    void leave(@Nullable Decision inForce, @Nullable FabricSpec spec, Map<MarkedBridge, Bridge> bridges,
            UnusableLinks unusable, Set<CompletionStage<Void>> writes) {
        Set<CompletionStage<Void>> all = new HashSet<>(writes);
        if (inForce == null) {
            all.addAll(leftWrites);
        } else {
            left = inForce;
            leftSpec = spec;
            leftBridges = Map.copyOf(bridges);
            leftUnusable = unusable;
        }
        leftWrites = Set.copyOf(all);
        leftWaiting = Set.copyOf(waiting);
    }

    /** The decision in force that the loop before has left; null if there was no loop, or no decision in force. */
    @Nullable Decision left() {
        return left;
    }

    /** The configuration to go on from; null to begin with the newest. */
    @Nullable FabricSpec leftSpec() {
        return leftSpec;
    }

    /** The bridges that the loop before gave the switches. */
    Map<MarkedBridge, Bridge> leftBridges() {
        return leftBridges;
    }

    /** The links that the loop before did not use. */
    UnusableLinks leftUnusable() {
        return leftUnusable;
    }

    /** A caller waits until the fabric follows run control's directive. */
    void waits(CompletableFuture<FabricStatus> caller) {
        waiting.add(caller);
        caller.whenComplete((status, failure) -> waiting.remove(caller));
    }

    /** Writes to the store that the loop before had begun, without an answer when it ended. */
    Set<CompletionStage<Void>> leftWrites() {
        return leftWrites;
    }

    /** Those who waited when the loop before ended. */
    Set<CompletableFuture<FabricStatus>> leftWaiting() {
        return leftWaiting;
    }

    synchronized LoopState state() {
        SerialLoop now = loop;
        Moment since = unstoredSince;
        return new LoopState(now == null ? Duration.ZERO : now.standing(), failures.get(), rebuilds,
            since == null ? Duration.ZERO : Duration.between(since.steady, clocks.steady().instant()));
    }
}
