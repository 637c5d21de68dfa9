package org.daqfabric.impl.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.FutureTask;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.controller.spi.PathProver.Scene;
import org.daqfabric.impl.controller.spi.ProofChannel;
import org.daqfabric.impl.engine.CompiledFabric;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;
import org.junit.jupiter.api.Test;

/** A fabric changes while its packets are sent. */
class FabricProofsTest {
    private static final class Channel implements ProofChannel {
        final Set<Long> senders = new ConcurrentSkipListSet<>();

        @Override
        public void transmit(long datapathId, List<Frame> frames) {
            senders.add(datapathId);
        }

        @Override
        public boolean isConnected(long datapathId) {
            return true;
        }

        @Override
        public CompletionStage<Void> transmitConfirmed(long datapathId, Frame frame) {
            senders.add(datapathId);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void receiveProofs(long sender, @Nullable LongConsumer receiver) {
            // nothing arrives
        }
    }

    private static Scene scene(FabricSpec spec) {
        Topology topology = new Topology(spec);
        CompiledFabric compiled = CompiledFabric.of(topology, UnusableLinks.ALL_UP, topology.roles().keySet());
        return new Scene(topology, compiled.placement().routes(), compiled.numbers(), compiled.programs(),
            UnusableLinks.ALL_UP, Set.of(), OptionalInt.empty());
    }

    /** An integration test found packets of the next plan that were sent by the switches of the one before. */
    @Test
    void packetsAreSentByTheSwitchesOfTheirPlan() throws Exception {
        Channel channel = new Channel();
        FabricProofs proofs = new FabricProofs(channel, Runnable::run, 1, Duration.ofMinutes(5), silent -> { },
            pairs -> { });
        Scene small = scene(TestFabrics.prototype());
        Scene large = scene(TestFabrics.atlas());
        proofs.follow(small);

        FutureTask<Void> tick = new FutureTask<>(proofs::tick, null);
        Thread thread = new Thread(tick, "tick");
        synchronized (proofs) {
            thread.start();
            await().until(() -> thread.getState() == Thread.State.BLOCKED);
            proofs.follow(large);
        }
        tick.get();

        assertThat(channel.senders).isNotEmpty().isSubsetOf(large.topology().roles().keySet().stream()
            .map(large.topology()::datapathId).collect(Collectors.toSet()));
    }
}
