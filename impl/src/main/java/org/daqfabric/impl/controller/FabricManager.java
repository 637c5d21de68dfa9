package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.daqfabric.api.plan.Effect;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.Failures;
import org.daqfabric.api.plan.TraceResult;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.controller.rollout.MoveCounter;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.ConfigListener;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.FabricControl;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.spi.RunHooks;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.daqfabric.impl.controller.spi.Timer;
import org.daqfabric.impl.controller.spi.UnknownNameException;
import org.daqfabric.impl.controller.whatif.PathTracer;
import org.daqfabric.impl.controller.whatif.PlanReport;
import org.daqfabric.impl.controller.whatif.Snapshot;
import org.daqfabric.impl.engine.check.FabricChecks;
import org.daqfabric.impl.engine.check.Problem;
import org.daqfabric.impl.engine.compile.DatapathIds;
import org.daqfabric.impl.engine.planning.RefusedException;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.daqfabric.impl.engine.whatif.SingleFailures;
import org.daqfabric.impl.engine.whatif.WhatIfQuestion;

/**
 * Hands every event to the event loop of the fabric it concerns, and remembers what connected before its fabric was
 * configured.
 */
public final class FabricManager implements ConfigListener, BridgeListener, RuleListener, FabricControl, AutoCloseable {
    private static final String DAQRING = "daqring";
    /** How long the switches of a removed fabric are waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Map<String, FabricLoop> loops = new HashMap<>();
    /** Switches of removed fabrics that are still connected. */
    private final Map<CompletableFuture<Void>, Set<Long>> leaving = new HashMap<>();
    /** When the last fabric of a name is gone. */
    private final Map<String, CompletionStage<Void>> removals = new HashMap<>();
    private final Map<String, FabricSpec> specs = new HashMap<>();
    private final Map<Long, Owner> byDatapath = new HashMap<>();
    /** Also the switches that left their fabric's configuration: they are heard of until their bridges are gone. */
    private final Map<Long, Owner> named = new HashMap<>();
    /** Switch by node and bridge. */
    private final Map<String, Map<String, Owner>> byNode = new HashMap<>();
    private final Map<String, Set<String>> nodes = new HashMap<>();
    private final Map<Long, Map<Integer, Boolean>> datapaths = new HashMap<>();

    private final DecisionStore store;
    private final StatePublisher publisher;
    private final InstantSource clock;
    private final Timer timer;
    private final Executor executor;
    private final Executor background;
    private final Duration compareInterval;
    private final Recorder recorder;
    private RuleChannel channel;
    private BridgeDriver bridges;
    private RunHooks hooks;
    /** Whether switches may be changed at this very moment. */
    private BooleanSupplier mayChange;
    /** Why nothing is done while there are no drivers. */
    private Supplier<String> standby = () -> "the controller is just starting: try again in a moment";
    private boolean configured;

    /** The loop is null while another member of the cluster is active. */
    private record Owner(String fabric, FabricLoop loop, String switchName) {
    }

    /**
     * Creates a manager of no fabrics. It hears of switches and fabrics, and does nothing about them until it is given
     * its drivers by {@link #drive}.
     *
     * @param executor runs the event loops, each one event at a time
     * @param background runs what may take long and nobody waits for
     * @param compareInterval how often every switch is compared with its program; zero for never
     */
    public FabricManager(DecisionStore store, StatePublisher publisher, InstantSource clock, Timer timer,
            Executor executor, Executor background, Duration compareInterval, Recorder recorder) {
        this.store = store;
        this.publisher = publisher;
        this.clock = clock;
        this.timer = timer;
        this.executor = executor;
        this.background = background;
        this.compareInterval = compareInterval;
        this.recorder = recorder;
    }

    /** Gives the manager its drivers: it takes up all fabrics. */
    public void drive(RuleChannel rules, BridgeDriver bridgeDriver, RunHooks runControl) {
        drive(rules, bridgeDriver, runControl, () -> true);
    }

    /**
     * Gives the manager its drivers: it takes up all fabrics.
     *
     * @param permission whether switches may be changed at this very moment; what may not be is done when that
     *     is told by {@link #resume()}
     */
    public synchronized void drive(RuleChannel rules, BridgeDriver bridgeDriver, RunHooks runControl,
            BooleanSupplier permission) {
        channel = rules;
        bridges = bridgeDriver;
        hooks = runControl;
        mayChange = permission;
        ownAgain();
    }

    /** Says why nothing is done while there are no drivers. */
    public synchronized void standby(Supplier<String> why) {
        standby = why;
    }

    /** Why nothing is done; empty if something is. */
    public synchronized Optional<String> standsBy() {
        return channel == null ? Optional.of(standby.get()) : Optional.empty();
    }

    /** Lets all fabrics be for now: switches must not be changed. */
    public synchronized void pause() {
        loops.values().forEach(FabricLoop::pause);
    }

    /** Switches may be changed again, and nobody else has changed them meanwhile. */
    public synchronized void resume() {
        loops.values().forEach(FabricLoop::resume);
    }

    /**
     * Takes the drivers away: the fabrics are another member's.
     *
     * @return completes when this one does nothing about them any more
     */
    public synchronized CompletionStage<Void> rest() {
        CompletableFuture<?>[] resting = loops.values().stream().map(FabricLoop::rest).toArray(CompletableFuture[]::new);
        loops.clear();
        removals.clear();
        channel = null;
        ownAgain();
        return CompletableFuture.allOf(resting);
    }

    private void ownAgain() {
        named.clear();
        List<FabricSpec> all = List.copyOf(new TreeMap<>(specs).values());
        specs.clear();
        all.forEach(this::fabricChanged);
    }

    @Override
    public synchronized void fabricChanged(FabricSpec spec) {
        FabricLoop loop = channel == null ? null : loops.computeIfAbsent(spec.name(), name ->
            new FabricLoop(name, removals.getOrDefault(name, CompletableFuture.completedFuture(null)), channel, bridges,
                mayChange, store, publisher, hooks, clock, timer, executor, background, compareInterval, recorder));
        FabricSpec before = specs.put(spec.name(), spec);
        if (before != null) {
            forget(before);
        }
        if (loop != null) {
            loop.configured(spec);
        }
        for (Switch description : spec.switches()) {
            Owner owner = new Owner(spec.name(), loop, description.name());
            byDatapath.put(DatapathIds.of(spec.name(), description.name()), owner);
            named.put(DatapathIds.of(spec.name(), description.name()), owner);
            byNode.computeIfAbsent(description.systemId(), id -> new HashMap<>()).put(description.bridge(), owner);
            if (loop != null && (before == null || !before.switches().contains(description))) {
                replay(spec.name(), description, owner);
            }
        }
    }

    /** Tells a fabric what connected before the fabric knew of it. */
    private void replay(String fabric, Switch description, Owner owner) {
        Set<String> types = nodes.get(description.systemId());
        if (types != null) {
            owner.loop.nodeConnected(owner.switchName, types.contains(DAQRING));
        }
        Map<Integer, Boolean> ports = datapaths.get(DatapathIds.of(fabric, description.name()));
        if (ports != null) {
            owner.loop.switchConnected(owner.switchName);
            ports.forEach((number, up) -> owner.loop.portChanged(owner.switchName, number, up));
        }
    }

    private void forget(FabricSpec spec) {
        for (Switch description : spec.switches()) {
            byDatapath.remove(DatapathIds.of(spec.name(), description.name()));
            Map<String, Owner> ofNode = byNode.getOrDefault(description.systemId(), new HashMap<>());
            ofNode.remove(description.bridge());
            if (ofNode.isEmpty()) {
                byNode.remove(description.systemId());
            }
        }
    }

    @Override
    public synchronized void fabricRemoved(String fabric) {
        FabricSpec spec = specs.remove(fabric);
        FabricLoop loop = loops.remove(fabric);
        if (spec != null) {
            named.values().removeIf(owner -> owner.fabric.equals(fabric));
            forget(spec);
        }
        if (loop != null) {
            hooks.removed(fabric);
            removals.put(fabric, loop.removed().thenCombine(disconnection(spec), (done, gone) -> gone));
        }
    }

    /**
     * When the switches of a removed fabric are disconnected, or had the time to. A new fabric of that name would take
     * the connection of a bridge that is being removed for that of the one it makes.
     */
    private CompletionStage<Void> disconnection(FabricSpec spec) {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        Set<Long> left = new HashSet<>();
        spec.switches().forEach(description -> left.add(DatapathIds.of(spec.name(), description.name())));
        left.retainAll(datapaths.keySet());
        if (left.isEmpty()) {
            gone.complete(null);
        } else {
            leaving.put(gone, left);
            timer.after(PATIENCE, () -> gone.complete(null));
        }
        return gone;
    }

    @Override
    public synchronized void configurationRead() {
        configured = true;
    }

    @Override
    public synchronized boolean isExpected(String systemId) {
        return !configured || byNode.containsKey(systemId);
    }

    @Override
    public synchronized void nodeConnected(String systemId, String ovsVersion, Set<String> interfaceTypes) {
        nodes.put(systemId, interfaceTypes);
        ofNode(systemId, (loop, name) -> loop.nodeConnected(name, interfaceTypes.contains(DAQRING)));
    }

    @Override
    public synchronized void nodeDisconnected(String systemId) {
        nodes.remove(systemId);
        ofNode(systemId, FabricLoop::nodeDisconnected);
    }

    private void ofNode(String systemId, BiConsumer<FabricLoop, String> event) {
        byNode.getOrDefault(systemId, Map.of()).values().stream().filter(owner -> owner.loop != null)
            .forEach(owner -> event.accept(owner.loop, owner.switchName));
    }

    @Override
    public synchronized void bridge(String systemId, String bridge, Map<String, PortStatus> ports, String error) {
        Owner owner = byNode.getOrDefault(systemId, Map.of()).get(bridge);
        if (owner != null && owner.loop != null) {
            owner.loop.bridge(owner.switchName, ports, error);
        }
    }

    @Override
    public synchronized void switchConnected(long datapathId) {
        datapaths.put(datapathId, new HashMap<>());
        ofDatapath(datapathId, FabricLoop::switchConnected);
    }

    @Override
    public synchronized void switchDisconnected(long datapathId) {
        datapaths.remove(datapathId);
        ofDatapath(datapathId, FabricLoop::switchDisconnected);
        leaving.forEach((gone, left) -> {
            left.remove(datapathId);
            if (left.isEmpty()) {
                gone.complete(null);
            }
        });
        leaving.keySet().removeIf(CompletableFuture::isDone);
    }

    @Override
    public synchronized void portChanged(long datapathId, int number, boolean up) {
        datapaths.computeIfPresent(datapathId, (id, ports) -> {
            ports.put(number, up);
            return ports;
        });
        ofDatapath(datapathId, (loop, name) -> loop.portChanged(name, number, up));
    }

    @Override
    public synchronized void peerSeen(long datapathId, int port, long peerDatapathId, int peerPort) {
        ofDatapath(datapathId, (loop, name) -> loop.peerSeen(name, port, nameFor(loop, peerDatapathId), peerPort));
    }

    /** A switch as a fabric is told of it, which has names for its own alone. */
    private String nameFor(FabricLoop loop, long datapathId) {
        Owner owner = named.get(datapathId);
        if (owner == null) {
            return "%016x".formatted(datapathId);
        }
        return owner.loop == loop ? owner.switchName : owner.fabric + "/" + owner.switchName;
    }

    private void ofDatapath(long datapathId, BiConsumer<FabricLoop, String> event) {
        Owner owner = byDatapath.get(datapathId);
        if (owner != null && owner.loop != null) {
            event.accept(owner.loop, owner.switchName);
        }
    }

    /**
     * Looks at switches of a fabric.
     *
     * @param switches all if empty
     * @param mend whether to put right what differs
     * @return fails with an {@link UnknownNameException} where a name is wrong
     */
    public CompletionStage<Verification> inspect(String fabric, Set<String> switches, boolean mend) {
        return of(fabric, loop -> loop.inspect(switches, mend));
    }

    /**
     * Takes into use what is held back, and places anew where that gains.
     *
     * @param most DCMs that may move at most; empty for no limit
     * @return number of DCMs that move; fails with an {@link UnknownNameException} where the name is wrong
     */
    public CompletionStage<Integer> rebalance(String fabric, OptionalInt most) {
        return of(fabric, loop -> loop.rebalance(most));
    }

    /**
     * What a change or failures would do; nothing is touched.
     *
     * @return fails with an {@link UnknownNameException} or {@link RefusedException} where the question is wrong
     */
    public CompletionStage<Effect> plan(String fabric, WhatIf asked) {
        return beside(fabric, spec -> {
            asked.candidate().ifPresent(this::check);
            return WhatIfQuestion.of(spec, asked);
        }, PlanReport::of);
    }

    /**
     * The way of packets between a ROS and a DCM.
     *
     * @param fail what fails; may be empty
     * @return fails with an {@link UnknownNameException} or {@link RefusedException} where a name is wrong
     */
    public CompletionStage<TraceResult> trace(String fabric, String ros, String dcm, FabricParts fail) {
        return beside(fabric, spec -> WhatIfQuestion.failing(spec, fail), (now, asked) -> PathTracer.of(now, asked, ros, dcm));
    }

    /**
     * What would be left if any one link or switch failed.
     *
     * @return fails with an {@link UnknownNameException} where the name is wrong
     */
    public CompletionStage<Failures> whatFails(String fabric) {
        return beside(fabric, spec -> WhatIfQuestion.failing(spec, FabricParts.NONE), (now, asked) ->
            new SingleFailures(now.topology(), now.weights(now.topology()), now.view(), now.decision().placement(),
                (before, after) -> MoveCounter.between(now.topology(), before, after)).report());
    }

    /** Refuses a configuration that contradicts itself or another fabric, as a write of it would be refused. */
    private void check(FabricSpec candidate) {
        List<FabricSpec> all = new ArrayList<>();
        synchronized (this) {
            specs.values().stream().filter(other -> !other.name().equals(candidate.name())).forEach(all::add);
        }
        all.sort(Comparator.comparing(FabricSpec::name));
        all.add(candidate);
        List<Problem> problems = FabricChecks.check(all);
        if (!problems.isEmpty()) {
            throw new UnknownNameException(
                Problem.describe(problems).replace(FabricChecks.path(candidate.name()), "/input/candidate"));
        }
    }

    /** Works out something about a fabric as it is, beside its event loop. */
    private <T> CompletionStage<T> beside(String fabric, Function<FabricSpec, WhatIfQuestion> question,
            BiFunction<Snapshot, WhatIfQuestion, T> answer) {
        try {
            WhatIfQuestion asked = question.apply(spec(fabric));
            return of(fabric, loop -> loop.snapshot(asked)).thenApplyAsync(now -> answer.apply(now, asked), background);
        } catch (UnknownNameException | RefusedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * A fabric as it is configured.
     *
     * @throws UnknownNameException if there is none of that name
     */
    public synchronized FabricSpec spec(String fabric) {
        FabricSpec spec = specs.get(fabric);
        if (spec == null) {
            throw unknown(fabric);
        }
        return spec;
    }

    @Override
    public synchronized SortedMap<String, FabricSpec> specs() {
        return new TreeMap<>(specs);
    }

    @Override
    public CompletionStage<FabricStatus> control(String fabric, RunDirective control) {
        return of(fabric, loop -> loop.control(control));
    }

    private synchronized <T> CompletionStage<T> of(String fabric, Function<FabricLoop, CompletionStage<T>> what) {
        FabricLoop loop = loops.get(fabric);
        if (loop == null && specs.containsKey(fabric)) {
            return CompletableFuture.failedFuture(new StandbyException(standby.get()));
        }
        return loop != null ? what.apply(loop) : CompletableFuture.failedFuture(unknown(fabric));
    }

    private UnknownNameException unknown(String fabric) {
        return new UnknownNameException("/input/fabric: there is no fabric " + fabric + "; "
            + (specs.isEmpty() ? "none is configured" : "configured: " + String.join(", ", new TreeSet<>(specs.keySet()))));
    }

    /** Ends all event loops; the switches stay as they are. */
    @Override
    public synchronized void close() {
        loops.values().forEach(FabricLoop::close);
        loops.clear();
    }
}
