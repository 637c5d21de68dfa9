package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.SerialLoop;
import org.daqfabric.impl.controller.links.Cabling;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.links.PortCache;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.rollout.MoveCounter;
import org.daqfabric.impl.controller.rollout.Planner;
import org.daqfabric.impl.controller.rollout.ProgramCache;
import org.daqfabric.impl.controller.rollout.RepairClock;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.controller.rollout.SwitchDriver;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.FrozenException;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.spi.RunHooks;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.daqfabric.impl.controller.spi.Timer;
import org.daqfabric.impl.controller.spi.UnknownNameException;
import org.daqfabric.impl.controller.whatif.Snapshot;
import org.daqfabric.impl.controller.whatif.WarmUp;
import org.daqfabric.impl.engine.compile.DatapathIds;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.Coverage;
import org.daqfabric.impl.engine.trace.Trace;
import org.daqfabric.impl.engine.whatif.WhatIfQuestion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop of one fabric, the only place where anything about the fabric changes. Everything that happens is an
 * event on it; after each burst of events it decides anew and gives every switch its program. No event waits for
 * anything: what takes time comes back as another event.
 */
public final class FabricLoop implements SwitchDriver.Loop {
    private static final Logger LOG = LoggerFactory.getLogger(FabricLoop.class);
    private static final Duration STORE_RETRY = Duration.ofSeconds(1);
    /** How long after a restart a switch that does not call may hold up what the others are told. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** How long a switch that does not answer may keep a new configuration from the others. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** The same for a repair, with what is added. */
    private static final Duration REPAIR_PATIENCE = Duration.ofMillis(100);
    /** The same for what changes inside the fabric: the edge would send to where nothing leads on. */
    private static final Duration REPAIR_PATIENCE_INSIDE = Duration.ofSeconds(1);
    /** How long a repair goes on before what others see is made anew, which in a large fabric takes as long as a step of it. */
    private static final Duration REPAIR_UNSEEN = Duration.ofMillis(150);

    private final String name;
    private final RuleChannel channel;
    private final DecisionStore store;
    private final StatePublisher publisher;
    private final InstantSource clock;
    private final Timer timer;
    private final Executor background;
    private final SerialLoop loop;

    private ProgramCache programs = new ProgramCache();
    private final Rollout rollout = new Rollout();
    private final SortedMap<String, SwitchView> switches = new TreeMap<>();
    private final DesiredBridges bridges;
    private final StateBuilder states;
    private final RepairClock repairs;
    private final MoveCounter moves = new MoveCounter();
    private final LinkTracker links;
    private final PortCache ports = new PortCache();
    /** Counts what switches told. */
    private long told;
    private final StatisticsPoller statistics;
    private final Recorder recorder;
    private FabricState published;
    /** Whether what others see is to be made anew shortly, or now, in the middle of a repair. */
    private boolean showSoon;
    private boolean showNow;

    /** The newest configuration. */
    private Topology configured;
    /** The configuration in force: the one the decision was made for. */
    private Topology topology;
    private Decision decision;
    private UnusableLinks view = UnusableLinks.ALL_UP;
    private UnusableLinks plannedView = UnusableLinks.ALL_UP;
    /** What the programs that the switches are given were made from; null before the first. */
    private Inputs assigned;
    private Set<String> plannedRings = Set.of();
    /** Links that some program which a switch may still hold goes round; empty if that is not known. */
    private Optional<Set<PortId>> goneRound = Optional.empty();
    private boolean replan;
    private boolean saving;
    /** Has switches make what the decision that is being stored adds. */
    private Runnable preparation = () -> { };
    /** How much had been told when they did so last. */
    private long preparedFor;
    /** Whether it is too early to touch switches that were programmed before this controller started. */
    private boolean looking;
    private boolean warm;
    private boolean closed;
    private boolean paused;
    /** The ports of each switch whose peers are looked for. */
    private Map<String, Set<Integer>> watched = Map.of();
    private final RunGate runs;
    /** Who waits to hear what rebalancing moves; null if nobody does. */
    private CompletableFuture<Integer> rebalance;
    /** How many DCMs may move then. */
    private OptionalInt mostMoves = OptionalInt.empty();
    private final BridgeDriver bridgeDriver;
    private final BooleanSupplier mayChange;
    private final Duration compareInterval;
    /** The switch that was compared last. */
    private String compared = "";

    /** All that programs follow from. */
    private record Inputs(Topology topology, UnusableLinks view, Decision decision, long told) {
        /** Objects that stay are compared only. */
        boolean areSame(Inputs other) {
            return other != null && topology == other.topology && view == other.view && decision == other.decision
                && told == other.told;
        }
    }

    /**
     * Creates a loop without configuration.
     *
     * @param before completes when an earlier fabric of the same name is gone
     * @param mayChange whether switches may be changed at this very moment
     * @param compareInterval how often every switch is compared with its program; zero for never
     */
    FabricLoop(String name, CompletionStage<Void> before, RuleChannel channel, BridgeDriver bridgeDriver,
            BooleanSupplier mayChange, DecisionStore store, StatePublisher publisher, RunHooks hooks, InstantSource clock,
            Timer timer, Executor executor, Executor background, Duration compareInterval, Recorder recorder) {
        this.name = name;
        this.recorder = recorder;
        this.channel = channel;
        this.bridgeDriver = bridgeDriver;
        this.mayChange = mayChange;
        this.compareInterval = compareInterval;
        bridges = new DesiredBridges(bridgeDriver);
        this.store = store;
        this.publisher = publisher;
        runs = new RunGate(hooks);
        this.clock = clock;
        this.timer = timer;
        this.background = background;
        states = new StateBuilder(clock);
        links = new LinkTracker(name, this, clock, switches, runs::isFrozen);
        statistics = new StatisticsPoller(name, this, bridgeDriver, recorder, clock);
        repairs = new RepairClock(clock);
        loop = new SerialLoop(executor, this::settle);
        before.thenRun(() -> then(hooks.wanted(name), (wanted, failure) -> {
            runs.obey(wanted);
            load();
        }));
        after(StatisticsPoller.INTERVAL, this::watchStatistics);
        if (!compareInterval.isZero()) {
            after(compareInterval, this::compareNext);
        }
    }

    /**
     * Does what run control wants.
     *
     * @return the fabric once it is so; switches may still be being told
     */
    CompletionStage<FabricStatus> control(RunDirective wanted) {
        CompletableFuture<FabricStatus> done = new CompletableFuture<>();
        post("fabric " + name + ": run control", () -> runs.obey(wanted, done));
        return done;
    }

    private void load() {
        then(store.load(name), (loaded, failure) -> {
            if (failure != null) {
                LOG.error("fabric {}: its stored placement cannot be read, nothing is changed until it can; "
                    + "trying again", name, failure);
                after(STORE_RETRY, this::load);
                return;
            }
            decision = loaded;
            looking = !loaded.placement().routes().isEmpty();
            if (looking) {
                after(GRACE, () -> looking = false);
            }
        });
    }

    void configured(FabricSpec spec) {
        post("fabric " + name + ": new configuration", () -> {
            configured = new Topology(spec);
            for (Switch description : spec.switches()) {
                switches.putIfAbsent(description.name(), SwitchView.UNSEEN);
                rollout.drivers().computeIfAbsent(description.name(), switchName ->
                    new SwitchDriver(switchName, DatapathIds.of(name, switchName), channel, this));
            }
        });
    }

    /**
     * Takes the fabric off its switches and ends the loop.
     *
     * @return completes when nothing of it is left to do, however that went
     */
    CompletionStage<Void> removed() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        post("fabric " + name + ": removal", () -> {
            closed = true;
            bridges.removeAll();
            watchNoCabling();
            publisher.withdraw(name);
            LOG.info("fabric {} is removed", name);
            store.delete(name).whenComplete((deleted, failure) -> {
                if (failure != null) {
                    LOG.warn("fabric {}: its stored placement could not be deleted: {}", name, Causes.inWords(failure));
                }
                done.complete(null);
            });
        });
        return done;
    }

    /**
     * Looks at switches; nothing is held up meanwhile.
     *
     * @param names switches; all if empty
     * @param mend whether to put right what differs
     */
    CompletionStage<Verification> inspect(Set<String> names, boolean mend) {
        CompletableFuture<Verification> result = new CompletableFuture<>();
        post("fabric " + name + ": inspection", () -> {
            if (topology == null) {
                result.completeExceptionally(notTakenUp());
                return;
            }
            Set<String> existing = topology.roles().keySet();
            for (String each : names) {
                if (!existing.contains(each)) {
                    result.completeExceptionally(new UnknownNameException("/input/switch: fabric " + name
                        + " has no switch " + each + "; its switches are " + String.join(", ", existing)));
                    return;
                }
            }
            new Inspection(this, bridgeDriver, mend, this::follow, names.isEmpty() ? existing : names)
                .start(rollout.drivers(), topology::switchOf).whenComplete((found, failure) -> {
                    if (failure == null) {
                        recorder.compared(name, true, found.switches().size(), found.findings());
                        result.complete(found);
                    } else {
                        result.completeExceptionally(failure);
                    }
                });
        });
        return result;
    }

    /**
     * The fabric as it is.
     *
     * @param asked what is to be worked out from it
     */
    CompletionStage<Snapshot> snapshot(WhatIfQuestion asked) {
        CompletableFuture<Snapshot> result = new CompletableFuture<>();
        post("fabric " + name + ": snapshot", () -> {
            if (topology == null) {
                result.completeExceptionally(notTakenUp());
                return;
            }
            PortNumbers numbers = decision.portNumbers();
            Topology next = asked.spec().equals(topology.spec()) ? topology : new Topology(asked.spec());
            Set<PortId> pending = links.pending(next, topology, numbers);
            Set<PortId> still = next == topology ? pending : Set.of();
            UnusableLinks proven = links.lookAhead(next, numbers, still);
            result.complete(new Snapshot(topology, decision, view, rollout.programs(), switches,
                bridges.numbers(numbers), ringCapable(), goneRound, links.dead(topology, numbers), runs.control(), next,
                links.lookAhead(next, numbers, pending), proven,
                asked.links().isEmpty() ? proven : links.without(next, numbers, asked.links(), still)));
        });
        return result;
    }

    private UnknownNameException notTakenUp() {
        return new UnknownNameException("/input/fabric: fabric " + name
            + " has just been configured or removed: try again in a moment");
    }

    private CompletionStage<Coverage> follow(Map<String, Program> programs) {
        if (!programs.keySet().equals(topology.roles().keySet())) {
            return CompletableFuture.completedFuture(new Coverage(0, List.of()));
        }
        Topology of = topology;
        Trace trace = new Trace(of, decision.portNumbers(), programs, links.dead(of, decision.portNumbers()));
        Routing allowed = new Routing(of, view, decision.placement());
        return CompletableFuture.supplyAsync(() -> Coverage.of(of, trace, allowed), background);
    }

    /**
     * Takes into use what is held back and places anew where that gains.
     *
     * @param most DCMs that may move at most; empty for no limit
     * @return number of DCMs that move
     */
    CompletionStage<Integer> rebalance(OptionalInt most) {
        CompletableFuture<Integer> moved = new CompletableFuture<>();
        post("fabric " + name + ": rebalance", () -> {
            if (runs.isFrozen()) {
                moved.completeExceptionally(new FrozenException("fabric " + name
                    + " is frozen while a run goes on: stop the run first"));
                return;
            }
            links.release();
            rebalance = moved;
            mostMoves = most;
            replan = true;
        });
        return moved;
    }

    /** The switches are compared with their programs one after another, over and over. */
    private void compareNext() {
        if (topology != null && !looking) {
            SortedMap<String, Role> all = topology.roles();
            compared = all.tailMap(compared + '\0').isEmpty() ? all.firstKey() : all.tailMap(compared + '\0').firstKey();
            String of = compared;
            rollout.drivers().get(of).compare(true, outcome -> compared(of, outcome));
        }
        after(topology == null ? compareInterval : compareInterval.dividedBy(topology.roles().size()),
            this::compareNext);
    }

    private void compared(String switchName, SwitchDriver.Compared outcome) {
        if (!(outcome instanceof SwitchDriver.Compared.NotNow)) {
            recorder.compared(name, false, 1, outcome.findings(switchName));
        }
    }

    private void watchStatistics() {
        if (topology != null) {
            statistics.ask(topology, decision.portNumbers());
        }
        after(StatisticsPoller.INTERVAL, this::watchStatistics);
    }

    /** Ends the loop and leaves the switches as they are. */
    void close() {
        post("fabric " + name + ": shutdown", () -> closed = true);
    }

    /** The same, and no longer shows the fabric, which another member goes on with. */
    CompletableFuture<Void> rest() {
        CompletableFuture<Void> resting = new CompletableFuture<>();
        loop.post("fabric " + name + ": rest", () -> {
            closed = true;
            watchNoCabling();
            publisher.forget(name);
            if (rebalance != null) {
                rebalance.completeExceptionally(new StandbyException("another member of the cluster has become active"));
            }
            resting.complete(null);
        });
        return resting;
    }

    /** Lets the switches be for now: to look for peers is to send, too. */
    void pause() {
        post("fabric " + name + ": pause", () -> {
            paused = true;
            watchNoCabling();
        });
    }

    /** Switches may be changed again. */
    void resume() {
        post("fabric " + name + ": resumption", () -> {
            paused = false;
            rollout.drivers().values().forEach(SwitchDriver::resume);
            if (topology != null) {
                watchCabling();
            }
        });
    }

    private void watchNoCabling() {
        watched = Map.of();
        rollout.drivers().keySet().forEach(switchName -> watchCabling(switchName, Set.of()));
    }

    @Override
    public boolean mayChange() {
        return mayChange.getAsBoolean();
    }

    void nodeConnected(String switchName, boolean knowsRings) {
        change(switchName, "OVSDB connected", view -> view.ovsdbUp(knowsRings));
    }

    void nodeDisconnected(String switchName) {
        change(switchName, "OVSDB disconnected", SwitchView::ovsdbDown);
    }

    void bridge(String switchName, Map<String, BridgeListener.PortStatus> ports, String error) {
        change(switchName, "ports", view -> view.bridge(ports, error));
    }

    void switchConnected(String switchName) {
        post(switchName + ": OpenFlow connected", () -> {
            update(switchName, SwitchView::openflowUp);
            SwitchDriver driver = rollout.drivers().get(switchName);
            if (driver != null) {
                driver.connected();
            }
        });
    }

    void switchDisconnected(String switchName) {
        post(switchName + ": OpenFlow disconnected", () -> {
            update(switchName, SwitchView::openflowDown);
            SwitchDriver driver = rollout.drivers().get(switchName);
            if (driver != null) {
                driver.disconnected();
            }
        });
    }

    void portChanged(String switchName, int number, boolean up) {
        post(switchName + ": port " + number, () -> {
            update(switchName, view -> view.port(number, up));
            if (!up) {
                links.cabling().forget(switchName, number);
            }
        });
    }

    /**
     * Cabling checks found a port at the other end of a port.
     *
     * @param peer the switch it is of, in words if that is none of this fabric
     */
    void peerSeen(String switchName, int number, String peer, int peerNumber) {
        if (!links.cabling().knows(switchName, number, peer, peerNumber)) {
            post(switchName + ": peer of port " + number,
                () -> links.cabling().found(switchName, number, peer, peerNumber));
        }
    }

    private void change(String switchName, String what, UnaryOperator<SwitchView> how) {
        post(switchName + ": " + what, () -> update(switchName, how));
    }

    private void update(String switchName, UnaryOperator<SwitchView> how) {
        told++;
        switches.computeIfPresent(switchName, (key, view) -> how.apply(view));
    }

    private void post(String what, Runnable task) {
        Instant seen = clock.instant();
        loop.post(what, () -> {
            if (!closed) {
                recorder.waited(name, Duration.between(seen, clock.instant()));
                repairs.event(seen);
                task.run();
            }
        });
    }

    @Override
    public <T> void then(CompletionStage<T> stage, BiConsumer<T, Throwable> continuation) {
        stage.whenComplete((result, failure) ->
            post("fabric " + name + ": an answer", () -> continuation.accept(result, Causes.of(failure))));
    }

    @Override
    public void after(Duration delay, Runnable task) {
        timer.after(delay, () -> post("fabric " + name + ": a timer", task));
    }

    private void settle() {
        repairs.settled();
        if (closed || decision == null || configured == null) {
            return;
        }
        if (topology != null) {
            look();
        }
        if (saving && told != preparedFor) {
            prepare();
        }
        // another controller may have decided something else by now
        if (!saving && needsPlan() && mayChange()) {
            plan();
        }
        if (topology != null) {
            assign();
            finish();
            if (published == null || !repairs.isUnderWay() || showNow) {
                showNow = false;
                show();
            } else if (!showSoon) {
                showSoon = true;
                after(REPAIR_UNSEEN, () -> {
                    showSoon = false;
                    showNow = true;
                });
            }
        }
    }

    private void show() {
        publish();
        if (!looking) {
            runs.show(new FabricStatus(topology, view, decision.placement(), published, !saving && !needsPlan()));
        }
        warmUp();
    }

    /** Once, when there is time: the fabric works, and the next that happens may be a failure. */
    private void warmUp() {
        if (warm || published.phase() != FabricState.Phase.CONVERGED) {
            return;
        }
        warm = true;
        snapshot(new WhatIfQuestion(topology.spec(), Set.of(), Set.of()))
            .thenAcceptAsync(now -> WarmUp.begin(now, background, clock), background);
    }

    /** Sees which links can be used now, and lets the groups go round the others with the placement that is. */
    private void look() {
        UnusableLinks now = links.look(topology, decision.portNumbers(), view, told);
        rollout.cutOff(links.cutOff());
        if (!now.equals(view)) {
            noteFailures(now);
            view = now;
            assign();
            rollout.advance(this::mayRemove);
        }
    }

    private boolean needsPlan() {
        return replan || runs.wantsPlan() || configured != topology || !view.equals(plannedView)
            || !ringCapable().equals(plannedRings);
    }

    /** Places anew; the placement is stored before it is acted on. */
    private void plan() {
        Topology planned = configured;
        boolean running = !decision.placement().routes().isEmpty();
        Set<PortId> pending = links.pending(planned, running ? topology : null, decision.portNumbers());
        Scope scope = scope(planned);
        replan = false;
        runs.planned();
        Topology placing = runs.weights(planned);
        if (!running) {
            links.begin(planned);
        }
        plannedView = links.lookAhead(planned, decision.portNumbers(), pending);
        plannedRings = ringCapable();
        Decision next = scope == Scope.OPTIMISE && rebalance != null && mostMoves.isPresent()
            ? Planner.decide(planned, placing, plannedView, decision, bridges.numbers(decision.portNumbers()),
                mostMoves.getAsInt(), plannedRings)
            : Planner.decide(planned, placing, plannedView, decision, bridges.numbers(decision.portNumbers()), scope,
                plannedRings);
        LOG.debug("fabric {}: placed", name);
        int moved = MoveCounter.between(planned, decision.placement(), next.placement());
        repairs.computed(moved);
        if (rebalance != null) {
            rebalance.complete(moved);
            rebalance = null;
        }
        if (next.equals(decision)) {
            adopt(planned, next, pending);
            return;
        }
        saving = true;
        ProgramCache nextPrograms = programs.copy();
        if (planned == topology && !looking) {
            // what is added disturbs nothing, ports and daqrings as little as rules
            bridges.extend(planned, next);
            // with the numbers it will have, so that nothing need be made anew when it is stored
            preparation = () -> rollout.prepare(
                nextPrograms.of(planned, plannedView, next, ports.present(planned, switches, next.portNumbers())));
            prepare();
        }
        then(store.save(name, next), (done, failure) -> {
            if (failure == null) {
                saving = false;
                programs = nextPrograms;
                adopt(planned, next, pending);
                assign();
            } else {
                // the datastore stands still for some seconds when it must refuse somebody's write
                LOG.warn("fabric {}: the new placement could not be stored and is not used; trying again: {}", name,
                    Causes.inWords(failure));
                after(STORE_RETRY, () -> {
                    saving = false;
                    replan = true;
                });
            }
            preparation = () -> { };
            rollout.prepare(Map.of());
        });
    }

    private void prepare() {
        preparedFor = told;
        preparation.run();
    }

    /**
     * A failure moves what it touched. What was decided before this controller started is kept until the switches have
     * told what is up; otherwise a new configuration or a link that is back may move anything that gains by it, but not
     * in a run that wants to be left alone.
     */
    private Scope scope(Topology planned) {
        boolean restarted = topology == null;
        boolean back = !view.down().containsAll(plannedView.down());
        boolean anew = planned != topology || back || rebalance != null || runs.wantsPlan();
        return !restarted && anew && !runs.control().wantsOnlyRepairs(planned) ? Scope.OPTIMISE : Scope.REPAIR;
    }

    private void adopt(Topology planned, Decision next, Set<PortId> pending) {
        moves.count(decision.placement(), next.placement());
        links.adopt(pending);
        topology = planned;
        decision = next;
        LOG.debug("fabric {}: placement stored", name);
        bridges.extend(topology, decision);
        watchCabling();
        look();
        // of what had failed before this controller took the fabric up it hears only now, and has placed round it already
        if (!needsPlan()) {
            repairs.adopted();
        }
    }

    private void watchCabling() {
        Map<String, Set<Integer>> ports = Cabling.ports(links.cables(topology, decision.portNumbers()));
        if (!paused && !ports.equals(watched)) {
            watched = ports;
            rollout.drivers().keySet().forEach(switchName ->
                watchCabling(switchName, ports.getOrDefault(switchName, Set.of())));
        }
    }

    private void watchCabling(String switchName, Set<Integer> ports) {
        channel.watchCabling(DatapathIds.of(name, switchName), ports);
    }

    private void noteFailures(UnusableLinks now) {
        Set<PortId> failed = new TreeSet<>(now.down());
        failed.removeAll(view.down());
        failed.removeAll(links.unproven());
        Set<PortId> back = new TreeSet<>(view.down());
        back.removeAll(now.down());
        if (!failed.isEmpty()) {
            LOG.warn("fabric {}: down: {}", name, failed);
            if (!decision.placement().routes().isEmpty()) {
                repairs.failure(failed, rollout.messages());
            }
        }
        if (!back.isEmpty()) {
            LOG.info("fabric {}: back: {}", name, back);
        }
    }

    /** Who can make daqrings: those who say so, and those who have some and have not said anything yet. */
    private Set<String> ringCapable() {
        Set<String> capable = new TreeSet<>();
        switches.forEach((switchName, known) -> {
            if (known.seen() ? known.ringCapable() : PortAllocator.hasRings(decision.portNumbers(), switchName)) {
                capable.add(switchName);
            }
        });
        return capable;
    }

    /**
     * Gives every switch the program that follows from what is decided and what is there. After a restart the switches
     * forward already; what is down is known once all have told, and until then a program would undo repairs.
     */
    private void assign() {
        looking = looking && !topology.roles().keySet().stream().allMatch(this::isKnown);
        Inputs inputs = new Inputs(topology, view, decision, told);
        if (looking || inputs.areSame(assigned)) {
            return;
        }
        Set<PortId> around = topology.outOfUse(view);
        around.addAll(goneRound.orElse(Set.of()));
        // with one link at most that ever was missing, every leaf has had a way on all the time
        boolean atOnce = goneRound.isPresent() && around.size() <= 1;
        if (rollout.begin(programs.of(topology, view, decision, present()),
                atOnce ? Set.of() : topology.edges().keySet())) {
            goneRound = Optional.of(around);
            boolean repairing = repairs.isUnderWay();
            long begun = rollout.generation();
            after(repairing ? REPAIR_PATIENCE : PATIENCE, () -> hurry(begun, Stage.ADD));
            waitAtMost(repairing ? REPAIR_PATIENCE_INSIDE : PATIENCE, begun);
        }
        assigned = inputs;
    }

    /** Waits so long for switches inside the fabric before the edge changes, and again for those late with the next step. */
    private void waitAtMost(Duration patience, long generation) {
        after(patience, () -> {
            hurry(generation, Stage.CHANGE);
            if (rollout.holdsUpEdge(generation)) {
                waitAtMost(patience, generation);
            }
        });
    }

    private void hurry(long generation, Stage upTo) {
        Set<String> late = rollout.hurry(generation, upTo);
        if (!late.isEmpty()) {
            LOG.warn("fabric {}: not waiting for {} any longer", name, late);
        }
    }

    /** Names of the ports each switch has. */
    private SortedMap<String, Set<String>> present() {
        return ports.present(topology, switches, decision.portNumbers());
    }

    private PortCache.Ports ports(String switchName) {
        return ports.of(switchName, switches.get(switchName), decision.portNumbers());
    }

    private boolean isKnown(String switchName) {
        return ports(switchName).known();
    }

    /** A switch that cannot be told keeps sending where it did, and newer programs may count on what these do not need. */
    private boolean mayRemove() {
        return !saving && links.reachAll() && switches.entrySet().stream().noneMatch(this::awaitsPorts);
    }

    /** Whether ports of a switch are being made; once there they may need what is not needed without them. */
    private boolean awaitsPorts(Map.Entry<String, SwitchView> entry) {
        SwitchView known = entry.getValue();
        return known.ovsdb() && known.bridgeError().isEmpty() && !ports(entry.getKey()).complete();
    }

    /** Goes on to the next stage when it is time, and lets ports go once no rule needs them. */
    private void finish() {
        if (looking) {
            return;
        }
        rollout.advance(this::mayRemove);
        if (rollout.isThrough(Stage.CHANGE)) {
            repairs.confirmed(rollout.messages());
        }
        if (!saving && rollout.isThrough(Stage.REMOVE)) {
            goneRound = Optional.of(topology.outOfUse(view));
            Set<String> gone = bridges.trim(topology, decision);
            // one that is configured again by now starts afresh with the next plan
            gone.removeAll(configured.roles().keySet());
            rollout.drivers().keySet().removeAll(gone);
            switches.keySet().removeAll(gone);
        }
    }

    private void publish() {
        FabricState state = states.build(topology, view, decision, rollout.generation(), saving, switches,
            ports, rollout.drivers(), repairs.last(), moves, links, statistics.rings());
        if (!state.equals(published)) {
            published = state;
            publisher.publish(state);
        }
        recorder.settled(topology.spec(), rollout.counts(states.wantedRings()));
    }
}
