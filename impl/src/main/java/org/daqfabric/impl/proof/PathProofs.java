package org.daqfabric.impl.proof;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.daqfabric.impl.async.Repeating;
import org.daqfabric.impl.controller.spi.PathProver;
import org.daqfabric.impl.controller.spi.ProofChannel;
import org.daqfabric.impl.engine.proof.PairReport;
import org.daqfabric.impl.engine.proof.SilentParts;
import org.daqfabric.impl.engine.topology.LinkDirection;

/**
 * Proves the paths of all fabrics, on a thread of its own: what delays the event loops must not delay it. Plans are
 * made on another one of low priority, as they take long for large fabrics.
 */
public final class PathProofs implements PathProver, AutoCloseable {
    private static final long TICK_MILLIS = 20;

    private final Set<FabricProofs> fabrics = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-proof").factory());
    private final ScheduledExecutorService plans = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().priority(Thread.MIN_PRIORITY).name("daqfabric-proof-plan").factory());
    private final ProofChannel channel;
    private final Duration mostAge;

    /**
     * Proves nothing yet.
     *
     * @param maySend whether packets may be sent at this moment
     * @param mostAge when the proof of a pair is too old; zero for never
     */
    public PathProofs(ProofChannel channel, BooleanSupplier maySend, Duration mostAge) {
        this.channel = channel;
        this.mostAge = mostAge;
        ticks.scheduleWithFixedDelay(new Repeating("proving paths", ticks, () -> {
            if (maySend.getAsBoolean()) {
                fabrics.forEach(FabricProofs::tick);
            }
        }), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public Watch watch(String fabric, Consumer<SilentParts> silent, Consumer<PairReport> pairs) {
        FabricProofs proofs = new FabricProofs(channel, plans, ThreadLocalRandom.current().nextLong(), mostAge, silent,
            pairs);
        fabrics.add(proofs);
        return new Watch() {
            @Override
            public void follow(Scene scene) {
                proofs.follow(scene);
            }

            @Override
            public Set<LinkDirection> slow() {
                return proofs.slow();
            }

            @Override
            public void close() {
                fabrics.remove(proofs);
                proofs.close();
            }
        };
    }

    @Override
    public void close() {
        ticks.shutdownNow();
        plans.shutdownNow();
    }
}
