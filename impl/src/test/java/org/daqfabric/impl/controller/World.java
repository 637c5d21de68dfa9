package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.Doubts;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.daqfabric.impl.engine.Wiring;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.PacketPath;
import org.daqfabric.impl.engine.trace.Trace;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.daqfabric.impl.memory.MemoryRemovalStore;
import org.daqfabric.impl.runcontrol.EventLog;
import org.daqfabric.impl.runcontrol.RunControl;
import org.eclipse.jdt.annotation.Nullable;

/** A controller, its store and its network, all in one thread and with a simulated clock. */
final class World implements DecisionStore, StatePublisher {
    final MemoryNetwork network;
    final Map<String, Decision> stored = new HashMap<>();
    /** What is stored to be in doubt, by fabric. */
    private final Map<String, Doubts> doubts = new HashMap<>();
    final MemoryRemovalStore removals = new MemoryRemovalStore();
    final Map<String, FabricState> states = new HashMap<>();
    /** The published bridges that are still to be removed. */
    List<PendingRemoval> pending = List.of();
    /** Why packets of the pairs that {@link #served} did not return are lost. */
    final Map<String, String> problems = new HashMap<>();
    /** Of what {@link #served} looked at last, and what it found. */
    private @Nullable Held traced;
    private Set<String> servedThen = Set.of();
    final List<Alarm> alarms = new ArrayList<>();
    /** Runs background tasks; drops them unless a test sets another executor. */
    Executor background = task -> { };
    /** The recorder of controllers that start from now on. */
    Recorder recorder = Recorder.NONE;
    /** Event loops that are delayed by {@link #burst}; null while they run at once. */
    private @Nullable List<Runnable> delayed;
    boolean storeFails;
    /** Number of decisions that the controller tried to save. */
    int saves;
    /** Whether messages of switches may arrive before the store answers. */
    boolean storesLate;
    /** Completes when decisions that are saved from now on are stored, if it does not answer late. */
    CompletableFuture<Void> storing = CompletableFuture.completedFuture(null);
    /** Whether the controller holds the lease of its cluster. */
    boolean holdsLease = true;
    Instant now = Instant.EPOCH;
    /** By how much the system's clock was set since the beginning. */
    Duration set = Duration.ZERO;
    final Clocks clocks = new Clocks(() -> now.plus(set), () -> now);
    FabricManager manager;
    final MemoryRuns partitions = new MemoryRuns();
    final RecordedEvents notifications = new RecordedEvents();
    RunControl runs;
    EventLog events;
    /** What the controllers that start from now on are given instead of this world and its network. */
    UnaryOperator<FabricServices> services = UnaryOperator.identity();
    UnaryOperator<FabricDrivers> drivers = UnaryOperator.identity();
    /** How often the event loops of controllers that start from now on are seen to; zero for never. */
    Duration watch = Duration.ZERO;
    private int starts;

    record Alarm(Instant at, Runnable task) {
    }

    World(long seed) {
        this(new MemoryNetwork(new Random(seed)));
    }

    World(MemoryNetwork network) {
        this.network = network;
        start();
    }

    /** Starts a controller; called again, it replaces the controller before. */
    void start(FabricSpec... configured) {
        alarms.clear();
        manager = manager();
        events = new EventLog("start " + ++starts, clocks.wall());
        runs = new RunControl(manager, partitions, notifications, events, clocks,
            (delay, task) -> alarms.add(new Alarm(now.plus(delay), task)), Runnable::run);
        manager.activate(drivers.apply(new FabricDrivers(network, network, runs, () -> holdsLease)));
        network.listeners(manager, manager);
        for (FabricSpec spec : configured) {
            manager.fabricChanged(spec);
        }
        manager.configurationRead();
        watch();
    }

    private void watch() {
        if (!watch.isZero()) {
            alarms.add(new Alarm(now.plus(watch), () -> {
                watch();
                manager.checkLoops();
            }));
        }
    }

    /** A manager that shares time, store and state tree with the first, as another member of a cluster does. */
    FabricManager manager() {
        return new FabricManager(services.apply(new FabricServices(this, removals, this, clocks,
            (Duration delay, Runnable task) -> alarms.add(new Alarm(now.plus(delay), task)), this::execute,
            task -> background.execute(task), task -> background.execute(task),
            Duration.ofSeconds(60), recorder)));
    }

    private void execute(Runnable loop) {
        if (delayed == null) {
            loop.run();
        } else {
            delayed.add(loop);
        }
    }

    /** Makes changes whose events the controller handles in one burst. */
    void burst(Runnable changes) {
        delayed = new ArrayList<>();
        changes.run();
        // delivers the events to the loops, which do not run yet
        settle();
        List<Runnable> loops = delayed;
        delayed = null;
        loops.forEach(Runnable::run);
    }

    void configure(FabricSpec spec) {
        network.build(new Topology(spec));
        manager.fabricChanged(spec);
    }

    /** Brings a fabric up; the guard sees every change after that. */
    void bringUp(FabricSpec spec, PairGuard guard) {
        configure(spec);
        pass(Duration.ofMinutes(3));
        assertThat(phase(spec)).isEqualTo(Phase.CONVERGED);
        network.watch(guard);
    }

    void settle() {
        settle(() -> { });
    }

    void settle(Runnable afterEach) {
        long changes = network.changes();
        for (int steps = 0; network.step(); steps++) {
            if (network.changes() != changes) {
                changes = network.changes();
                afterEach.run();
            }
            assertThat(steps).as("steps until it settles").isLessThan(1_000_000);
        }
    }

    void pass(Duration time) {
        pass(time, () -> { });
    }

    /** Advances the clock, with all timers and deliveries in that time. */
    void pass(Duration time, Runnable afterEach) {
        Instant end = now.plus(time);
        settle(afterEach);
        while (true) {
            Alarm next = alarms.stream().min(Comparator.comparing(Alarm::at)).orElse(null);
            if (next == null || next.at().isAfter(end)) {
                break;
            }
            alarms.remove(next);
            now = next.at();
            next.task().run();
            settle(afterEach);
        }
        now = end;
    }

    Phase phase(FabricSpec spec) {
        return states.get(spec.name()).phase();
    }

    /** Whether a link may carry traffic according to the published state. */
    boolean isUsed(FabricSpec spec, Segment link) {
        return states.get(spec.name()).links().stream().anyMatch(each -> each.end().equals(link.id())
            && each.operState() == FabricState.OperState.UP && !each.heldBack());
    }

    @Override
    public CompletionStage<Decision> load(String fabric) {
        return CompletableFuture.completedFuture(stored.getOrDefault(fabric, Decision.NONE));
    }

    @Override
    public CompletionStage<Void> save(String fabric, Decision decision) {
        saves++;
        if (storeFails) {
            return CompletableFuture.failedFuture(new IllegalStateException("the store is full"));
        }
        CompletableFuture<Void> answer = storesLate ? new CompletableFuture<>() : storing;
        if (storesLate) {
            network.store(() -> answer.complete(null));
        }
        return answer.thenRun(() -> stored.put(fabric, decision));
    }

    @Override
    public CompletionStage<Doubts> loadDoubts(String fabric) {
        return CompletableFuture.completedFuture(doubts.getOrDefault(fabric, Doubts.NONE));
    }

    @Override
    public CompletionStage<Void> saveDoubts(String fabric, Doubts saved) {
        if (storeFails) {
            return CompletableFuture.failedFuture(new IllegalStateException("the store is full"));
        }
        doubts.put(fabric, saved);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> delete(String fabric) {
        stored.remove(fabric);
        doubts.remove(fabric);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void publish(FabricState state) {
        states.put(state.fabric(), state);
    }

    @Override
    public void withdraw(String fabric) {
        states.remove(fabric);
    }

    @Override
    public void pending(List<PendingRemoval> all) {
        pending = all;
    }

    /** Pairs of hosts, by name, between which packets arrive now. */
    Set<String> served(Topology topology) {
        Held held = new Held(topology, network.numbers(), network.programs(), Set.copyOf(network.down()));
        if (!held.equals(traced)) { // after most messages switches hold what they held before
            traced = held;
            servedThen = trace(held);
        }
        return new TreeSet<>(servedThen);
    }

    private Set<String> trace(Held held) {
        Trace trace = new Trace(held.topology(), held.numbers(), held.programs(), held.down());
        Set<String> pairs = new TreeSet<>();
        for (Endpoint from : held.topology().endpoints().values()) {
            for (Endpoint to : held.topology().endpoints().values()) {
                if (from.kind() != to.kind() && !from.sharesHost(to)) {
                    PacketPath path = trace.follow(from.edge(), to.address());
                    assertThat(path.problem()).doesNotContain("loops");
                    String pair = from.name() + " -> " + to.name();
                    if (path.arrived()) {
                        pairs.add(pair);
                    } else {
                        problems.put(pair, path.switches() + " " + path.problem());
                    }
                }
            }
        }
        return pairs;
    }

    /** What decides which pairs are served. */
    private record Held(Topology topology, PortNumbers numbers, Map<String, Program> programs, Set<PortId> down) {
    }

    /** The first link between two switches. */
    static Segment link(FabricSpec spec, String lower, String upper) {
        return new Topology(spec).segments(lower).stream().filter(each -> each.lower().switchName().equals(lower)
            && each.upper().switchName().equals(upper)).findFirst().orElseThrow();
    }

    /** Pairs of hosts, by name, that are connected by links that are up. */
    static Set<String> possible(FabricSpec spec, Set<PortId> down) {
        Topology topology = new Topology(spec);
        Wiring wiring = new Wiring(spec, new UnusableLinks(down));
        Set<String> pairs = new TreeSet<>();
        for (Endpoint from : topology.endpoints().values()) {
            for (Endpoint to : topology.endpoints().values()) {
                if (from.kind() != to.kind() && !from.sharesHost(to)
                        && wiring.hasPath(from.edge(), from.pod(), to.edge(), to.pod())) {
                    pairs.add(from.name() + " -> " + to.name());
                }
            }
        }
        return pairs;
    }
}
