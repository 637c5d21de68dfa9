package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.async.CacheKey;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.rollout.MoveCounter;
import org.daqfabric.impl.controller.rollout.RepairClock;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.controller.spi.FabricPorts;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Publishes the fabric's state after each burst of events, and reports it to run control. In a large fabric building
 * the state takes as long as a step of a repair; so a repair goes first. Belongs to the fabric's event loop.
 */
final class Publication {
    /** How long a repair may take before the state is published in the middle of it. */
    private static final Duration REPAIR_UNSEEN = Duration.ofMillis(150);

    private final FabricModel model;
    private final EventLoop loop;
    private final FabricServices services;
    private final LinkTracker links;
    private final Rollout rollout;
    private final RepairClock repairs;
    private final MoveCounter moves;
    private final StatisticsPoller statistics;
    private final LossWatch losses;
    private final DropLog drops;
    private final ProofWatch proofs;
    private final RunGate runs;
    private final StateBuilder states;
    /** Null before the first. */
    private @Nullable FabricState published;
    /** What the ports were last published for; null before the first time. */
    private @Nullable CacheKey portsFor;
    /** Whether a timer is set for the middle of a repair, and whether it has fired. */
    private boolean timerSet;
    private boolean timerFired;

    /** Creates a publication of nothing. */
    Publication(FabricModel model, EventLoop loop, FabricServices services, LinkTracker links, Rollout rollout,
            RepairClock repairs, MoveCounter moves, StatisticsPoller statistics, LossWatch losses, DropLog drops,
            ProofWatch proofs, RunGate runs) {
        this.model = model;
        this.loop = loop;
        this.services = services;
        this.links = links;
        this.rollout = rollout;
        this.repairs = repairs;
        this.moves = moves;
        this.statistics = statistics;
        this.losses = losses;
        this.drops = drops;
        this.proofs = proofs;
        this.runs = runs;
        states = new StateBuilder(services.clocks());
    }

    /** Publishes what has changed, now, or when a step of a repair is confirmed or has taken {@link #REPAIR_UNSEEN}. */
    void update(Decisions decisions) {
        if (published == null || !repairs.isBusy() || timerFired) {
            timerFired = false;
            publish(decisions);
        } else if (!timerSet) {
            timerSet = true;
            loop.after(REPAIR_UNSEEN, () -> {
                timerSet = false;
                timerFired = true;
            });
        }
    }

    private void publish(Decisions decisions) {
        FabricState state = states.build(model, rollout, decisions, repairs, moves, links,
            ports(), statistics, losses.told(), drops.newest(), proofs);
        if (!state.equals(published)) {
            published = state;
            services.publisher().publish(state);
        }
        publishPorts();
        services.recorder().settled(model.topology().spec(), rollout.counts(states.desiredRings()));
        if (!model.isAwaitingFirstReports()) {
            runs.report(new FabricStatus(model.topology(), links.doubt().doubtful(model.topology(), model.unusable()),
                model.decision().placement(), published,
                decisions.isSettled()));
        }
    }

    private List<PortState> ports() {
        return PortFaults.of(model.topology(), statistics.ports(model.topology()), PortCorrections.bits(model),
            model.hostsDown(), losses.unlisted());
    }

    /** Passes on what the switches have reported; the views are made of it on another thread. */
    private void publishPorts() {
        CacheKey key = CacheKey.of(published, model.topology(), model.numbers(), model.revision());
        if (!key.isSame(portsFor)) {
            portsFor = key;
            SortedMap<String, FabricPorts.Reported> reported = new TreeMap<>();
            model.switches().forEach((name, view) ->
                reported.put(name, new FabricPorts.Reported(view.ports(), view.live())));
            services.publisher().ports(
                new FabricPorts(published, model.topology().spec(), model.numbers(), reported));
        }
    }
}
