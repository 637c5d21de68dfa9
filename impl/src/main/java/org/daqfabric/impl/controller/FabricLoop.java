package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.daqfabric.api.placement.SwitchIdentity;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.SerialLoop;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.rollout.MoveCounter;
import org.daqfabric.impl.controller.rollout.RepairClock;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.controller.rollout.SwitchDriver;
import org.daqfabric.impl.controller.spi.FrozenException;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.controller.whatif.Snapshot;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.whatif.WhatIfQuestion;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop of one fabric, the only place where anything about the fabric changes. Everything is an event in it;
 * after each burst of events it decides anew and gives every switch its program ({@link #settle}). No event blocks: the
 * result of an asynchronous call arrives as another event.
 */
final class FabricLoop implements SwitchDriver.Loop {
    private static final Logger LOG = LoggerFactory.getLogger(FabricLoop.class);

    private final String name;
    private final SwitchRegistry registry;
    private final FabricServices services;
    private final FabricDrivers drivers;
    private final SerialLoop loop;
    private final FabricModel model;
    private final Rollout rollout = new Rollout();
    private final DesiredBridges bridges;
    private final RepairClock repairs;
    private final LinkTracker links;
    private final RunGate runs;
    private final Assignment assignment;
    private final Decisions decisions;
    private final Publication publication;
    private final CablingWatch cabling;
    private final ProofWatch proofs;
    private final Inspector inspector;
    private final FailureWatch failures;
    private final Inquiry inquiry;
    private final Snapshots snapshots;
    private final Requests requests;
    private final LoopHealth health;
    private final SwitchReports reports;
    private final Stages stages;
    private final PortCorrections corrections;
    /** The configuration whose switches report here; null before the first. */
    private @Nullable Topology identified;
    private boolean closed;

    /**
     * Creates a loop without configuration.
     *
     * @param before completes when an earlier fabric of the same name has been removed, or the loop that this one
     *     replaces has ended
     * @param health notes what fails; has what the loop before has left, if this one replaces it
     */
    FabricLoop(String name, CompletionStage<Void> before, SwitchRegistry registry, FabricServices services,
            FabricDrivers drivers, Removals removals, LoopHealth health) {
        this.name = name;
        this.registry = registry;
        this.health = health;
        this.services = services;
        this.drivers = drivers;
        requests = new Requests(services.timer());
        final MoveCounter moves = new MoveCounter();
        model = new FabricModel(name);
        bridges = new DesiredBridges(name, removals);
        runs = new RunGate(drivers.runs());
        links = new LinkTracker(name, this, services.clocks().steady(), model.switches(), runs::isFrozen);
        cabling = new CablingWatch(model, links, drivers.rules());
        repairs = new RepairClock(services.clocks());
        Following following = new Following(rollout, this);
        var leaving = new LeavingRings(name, this, drivers.rules(), services.clocks().steady(), services.recorder());
        assignment = new Assignment(model, this, links, repairs, bridges, rollout, leaving, following);
        var lossy = new LossyLinksWatch(model, this, links, runs, services.background());
        decisions = new Decisions(model, this, services, health, links, lossy, bridges, runs, repairs, moves,
            assignment, this::adopted);
        var statistics = new StatisticsPoller(name, this, drivers.bridges(), services);
        DropLog drops = new DropLog(model, this, drivers.runs(), services.clocks());
        proofs = new ProofWatch(model, links, rollout, drops, drivers.proofs(), services.clocks(), this::post);
        LossWatch loss = new LossWatch(model, this, services.timer(), links, drivers.rules(), lossy, proofs);
        publication = new Publication(model, this, services, links, rollout, repairs, moves, statistics, loss, drops,
            proofs, runs);
        stages = new Stages(model, this, rollout, links, following, assignment, bridges);
        reports = new SwitchReports(model, rollout, links.cabling(), drops, new RuleWatch(name, this, rollout,
            services.recorder(), services.compareInterval()), this::post);
        inspector = new Inspector(model, this, services, drivers.bridges(), rollout, links);
        failures = new FailureWatch(model, links, repairs, rollout);
        inquiry = new Inquiry(model, this, links, drivers.rules());
        corrections = new PortCorrections(model, this, drivers.rules());
        snapshots = new Snapshots(model, links, rollout, bridges, assignment, runs);
        loop = new SerialLoop(services.executor(), this::settle, health::failed);
        health.runs(loop);
        before.thenCombine(removals.known(), (gone, read) -> gone).thenRun(() -> post("fabric " + name + ": start",
            () -> then(drivers.runs().directive(name), (directive, failure) -> {
                runs.begin(directive, health.leftWaiting());
                decisions.load();
            })));
        new Audit(model, this, rollout, statistics, services.recorder(), services.compareInterval()).begin();
        loss.begin();
    }

    private void settle() {
        repairs.settled();
        if (closed || !model.isReady()) {
            return;
        }
        if (model.configured() != identified) {
            identify();
            // what the switches have reported so far comes first
            post("fabric " + name + ": switches identified", () -> { });
            return;
        }
        if (model.hasTopology()) {
            evaluateLinks();
        }
        stages.advance(decisions);
        decisions.prepare();
        // without the lease another controller may have decided by now
        if (mayChange()) {
            decisions.decideIfDue();
            corrections.update();
        }
        if (model.hasTopology()) {
            assignment.assign();
            if (assignment.finish(decisions.mayNeedMore())) {
                decisions.confirmed();
            }
            proofs.update();
            publication.update(decisions);
        }
    }

    String fabric() {
        return name;
    }

    /** Where reports of this fabric's switches arrive. */
    SwitchReports reports() {
        return reports;
    }

    /** Determines which links may be used now; groups avoid the others, and lost spines are replaced, at once. */
    private void evaluateLinks() {
        UnusableLinks now = links.evaluate(model.topology(), model.numbers(), model.unusable(), model.revision());
        rollout.cutOff(links.cutOff());
        inquiry.update();
        if (!now.equals(model.unusable())) {
            failures.note(now);
            if (mayChange()) {
                decisions.replaceSpines();
            }
            assignment.assign();
            assignment.advance(decisions.mayNeedMore());
        }
    }

    /** Each switch has a driver, and its reports come here. */
    private void identify() {
        identified = model.configured();
        SortedMap<String, SwitchIdentity> now = model.reporting();
        now.forEach((switchName, identity) -> {
            SwitchDriver driver = rollout.drivers().get(switchName);
            if (driver == null || driver.datapathId() != identity.datapathId()) {
                rollout.join(switchName, new SwitchDriver(switchName, identity.datapathId(), drivers.rules(), this));
            }
        });
        registry.identified(this, name, now);
    }

    private void adopted() {
        identify();
        cabling.update();
        evaluateLinks();
    }

    void configured(FabricSpec spec) {
        post("fabric " + name + ": new configuration", () -> {
            model.configure(spec);
            stages.begin();
        });
    }

    /**
     * Applies a directive of run control.
     *
     * @return the fabric when its placement follows the directive; switches may still be changing
     */
    CompletionStage<FabricStatus> control(RunDirective directive) {
        CompletableFuture<FabricStatus> done = new CompletableFuture<>();
        health.waits(done);
        post("fabric " + name + ": run control", () -> runs.apply(directive, done));
        return done;
    }

    /**
     * Takes held-back links into use and places anew; any DCM may move if that improves the placement.
     *
     * @param limit number of DCMs that may move at most; empty for no limit
     * @return number of DCMs that move
     */
    CompletionStage<Integer> rebalance(OptionalInt limit) {
        CompletableFuture<Integer> moved = requests.open("fabric " + name + ": rebalance");
        post("fabric " + name + ": rebalance", () -> {
            if (runs.isFrozen()) {
                moved.completeExceptionally(new FrozenException("fabric " + name
                    + " is frozen while a run goes on: stop the run first"));
            } else {
                decisions.rebalance(limit, moved);
            }
        });
        return moved;
    }

    /**
     * Reads switches and compares them with their programs; other events are handled meanwhile.
     *
     * @param names switches; all if empty
     * @param correct whether to correct what differs
     */
    CompletionStage<Verification> inspect(Set<String> names, boolean correct) {
        return answered("inspection", result -> inspector.inspect(names, correct, result));
    }

    /**
     * The fabric at this moment.
     *
     * @param asked the question to be answered from it
     */
    CompletionStage<Snapshot> snapshot(WhatIfQuestion asked) {
        return answered("snapshot", result -> result.complete(snapshots.take(asked)));
    }

    private <T> CompletionStage<T> answered(String what, Consumer<CompletableFuture<T>> answer) {
        CompletableFuture<T> result = requests.open("fabric " + name + ": " + what);
        post("fabric " + name + ": " + what, () -> {
            if (model.hasTopology()) {
                answer.accept(result);
            } else {
                result.completeExceptionally(notTakenUp());
            }
        });
        return result;
    }

    private InvalidInputException notTakenUp() {
        return new InvalidInputException("fabric", "fabric " + name
            + " has just been configured or removed: try again in a moment");
    }

    /**
     * Removes the fabric from its switches and ends the loop.
     *
     * @return completes when nothing is left to do, also after an error
     */
    CompletionStage<Void> removed() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        post("fabric " + name + ": removal", () -> {
            closed = true;
            requests.end(notTakenUp());
            bridges.removeAll();
            proofs.stop();
            cabling.stop();
            services.publisher().withdraw(name);
            LOG.info("fabric {} is removed", name);
            services.store().delete(name).whenComplete((deleted, failure) -> {
                if (failure != null) {
                    LOG.warn("fabric {}: its stored placement could not be deleted: {}", name, Causes.inWords(failure));
                }
                done.complete(null);
            });
        });
        return done;
    }

    /** Ends the loop and leaves the switches as they are. */
    void close() {
        end("shutdown", () -> requests.end(new StandbyException("the controller is shutting down")));
    }

    /** Does the same, and leaves the state to another member of the cluster. */
    CompletableFuture<Void> deactivate() {
        return end("deactivation", () -> {
            requests.end(new StandbyException("another member of the cluster has become active"));
            services.publisher().forget(name);
            cabling.stop();
        });
    }

    /** Does the same in favour of a loop with other labels, and leaves the decision in force to it. */
    CompletionStage<Void> replaced() {
        return end("end before other labels", () -> {
            // names of links may be others in the next loop
            health.leave(decisions.left(), model.specInForce(), bridges.given(), UnusableLinks.ALL_UP,
                decisions.storage().unanswered());
            requests.end(notTakenUp());
            cabling.stop();
        });
    }

    /** Does the same because something has failed in the loop, and leaves the decision in force to the next one. */
    CompletionStage<Void> abandon() {
        return end("end after a failure", () -> {
            health.leave(decisions.left(), null, bridges.given(), links.leave(model.unusable()),
                decisions.storage().unanswered());
            requests.end(new IllegalStateException("fabric " + name + " is taken up anew after an internal error, which"
                + " the log has: try again in a moment"));
        });
    }

    /** Completes when the loop has ended, whatever fails in that: another one may wait for it. */
    private CompletableFuture<Void> end(String what, Runnable last) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.post("fabric " + name + ": " + what, () -> {
            closed = true;
            try {
                proofs.stop();
                last.run();
            } finally {
                done.complete(null);
            }
        });
        return done;
    }

    /** Lets the loop act on what it knows once more: it has failed, perhaps in the middle of that. */
    void nudge() {
        post("fabric " + name + ": once more", () -> { });
    }

    /** Stops sending anything to the switches for now. */
    void pause() {
        post("fabric " + name + ": pause", cabling::pause);
    }

    /** Switches may be changed again. */
    void resume() {
        post("fabric " + name + ": resumption", () -> {
            rollout.drivers().values().forEach(SwitchDriver::resume);
            cabling.resume();
        });
    }

    @Override
    public boolean mayChange() {
        return drivers.mayChange().getAsBoolean();
    }

    private void post(String what, Runnable task) {
        health.noting(() -> {
            Instant arrived = services.clocks().steady().instant();
            loop.post(what, () -> {
                if (!closed) {
                    try {
                        services.recorder().waited(name,
                            Duration.between(arrived, services.clocks().steady().instant()));
                        repairs.event(arrived);
                    } finally {
                        // what is only measured must not lose the event
                        task.run();
                    }
                }
            });
        });
    }

    @Override
    public <T> void then(CompletionStage<T> stage, BiConsumer<T, Throwable> continuation) {
        stage.whenComplete((result, failure) ->
            post("fabric " + name + ": an answer", () -> continuation.accept(result, Causes.of(failure))));
    }

    @Override
    public void after(Duration delay, Runnable task) {
        services.timer().after(delay, () -> post("fabric " + name + ": a timer", task));
    }
}
