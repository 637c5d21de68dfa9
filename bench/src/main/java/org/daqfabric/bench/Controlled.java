package org.daqfabric.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.FabricDrivers;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.FabricServices;
import org.daqfabric.impl.controller.NoRuns;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.Doubts;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.memory.MemoryRemovalStore;

/**
 * A whole controller with one fabric on an {@link InstantNetwork}, in one thread. Its clock is the real clock plus an
 * offset, which {@link #pass} increases.
 */
final class Controlled implements DecisionStore, StatePublisher {
    final InstantNetwork network = new InstantNetwork();
    final Topology topology;
    private final Map<String, Decision> stored = new ConcurrentHashMap<>();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<Alarm> alarms = new ArrayList<>();
    private Duration offset = Duration.ZERO;
    private FabricState state;

    private record Alarm(Instant at, Runnable task) {
    }

    /** Configures a fabric and waits until it has converged. */
    Controlled(FabricSpec spec) {
        topology = new Topology(spec);
        Clocks clocks = new Clocks(this::now, this::now);
        FabricManager manager = new FabricManager(new FabricServices(this, new MemoryRemovalStore(), this, clocks,
            (delay, task) -> alarms.add(new Alarm(now().plus(delay), task)), tasks::add, task -> { },
            task -> { }, Duration.ZERO, Recorder.NONE));
        manager.activate(new FabricDrivers(network, network, new NoRuns(), () -> true));
        network.listener(manager);
        network.connect(topology);
        manager.fabricChanged(spec);
        manager.configurationRead();
        settle();
        pass(Duration.ofMinutes(10));
        if (state.phase() != FabricState.Phase.CONVERGED) {
            throw new IllegalStateException("the fabric is " + state.phase());
        }
    }

    private Instant now() {
        return Instant.now().plus(offset);
    }

    /** Runs until no task and no answer is left. */
    void settle() {
        do {
            Runnable task;
            while ((task = tasks.poll()) != null) {
                task.run();
            }
        } while (network.answer());
    }

    /** Puts the clock forward and runs the alarms that become due. */
    void pass(Duration time) {
        Instant end = now().plus(time);
        while (true) {
            Alarm next = alarms.stream().min(Comparator.comparing(Alarm::at)).orElse(null);
            if (next == null || next.at().isAfter(end)) {
                break;
            }
            alarms.remove(next);
            Duration left = Duration.between(now(), next.at());
            offset = left.isNegative() ? offset : offset.plus(left);
            next.task().run();
            settle();
        }
        Duration left = Duration.between(now(), end);
        offset = left.isNegative() ? offset : offset.plus(left);
    }

    /** Fails links and runs until the repair is complete; returns the number of messages. */
    int cut(List<Segment> links) {
        final int before = network.messages();
        network.links(links, false);
        network.answer();
        settle();
        return network.messages() - before;
    }

    /** Brings links back and passes so much time that they are used again and their failure is forgotten. */
    void restore(List<Segment> links) {
        network.links(links, true);
        network.answer();
        settle();
        pass(Duration.ofMinutes(10));
    }

    FabricState state() {
        return state;
    }

    @Override
    public CompletionStage<Decision> load(String fabric) {
        return CompletableFuture.completedFuture(stored.getOrDefault(fabric, Decision.NONE));
    }

    @Override
    public CompletionStage<Void> save(String fabric, Decision decision) {
        stored.put(fabric, decision);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Doubts> loadDoubts(String fabric) {
        return CompletableFuture.completedFuture(Doubts.NONE);
    }

    @Override
    public CompletionStage<Void> saveDoubts(String fabric, Doubts doubts) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> delete(String fabric) {
        stored.remove(fabric);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void publish(FabricState newest) {
        state = newest;
    }

    @Override
    public void withdraw(String fabric) {
        state = null;
    }
}
