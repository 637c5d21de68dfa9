package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.rollout.MoveCounter;
import org.daqfabric.impl.controller.rollout.Planner;
import org.daqfabric.impl.controller.rollout.RepairClock;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.rollout.Replan;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the placement of a fabric's addresses and stores it before it is acted on; its additions, which nothing uses
 * yet, are installed meanwhile. Belongs to the fabric's event loop.
 */
final class Decisions {
    private static final Logger LOG = LoggerFactory.getLogger(Decisions.class);
    private static final Duration STORE_RETRY = Duration.ofSeconds(1);
    /** How long after a restart a switch that does not connect may delay the programs of the others. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final FabricModel model;
    private final EventLoop loop;
    private final DecisionStore store;
    private final LinkTracker links;
    private final DesiredBridges bridges;
    private final RunGate runs;
    private final RepairClock repairs;
    private final MoveCounter moves;
    private final Assignment assignment;
    private final Runnable adopted;

    /** What the newest decision was made for. */
    private UnusableLinks plannedFor = UnusableLinks.ALL_UP;
    private Set<String> plannedRings = Set.of();
    private boolean replan;
    private boolean storing;
    /** The decision that is being stored, while what it adds is installed ahead; null otherwise. */
    private @Nullable Candidate prepared;
    /** Revision of the reports that were last prepared for. */
    private long preparedRevision;
    /** Completed with the number of DCMs that the requested rebalance moves; empty if none is requested. */
    private final List<CompletableFuture<Integer>> rebalances = new ArrayList<>();
    /** How many DCMs may move then. */
    private OptionalInt maxMoves = OptionalInt.empty();

    /**
     * A decision that is not in force yet.
     *
     * @param unusable the links that it does not use
     * @param pending names of links that are not used until both ends have been reported up
     */
    record Candidate(Topology topology, UnusableLinks unusable, Decision decision, Set<PortId> pending) {
    }

    /**
     * Creates the decisions of a fabric, none of them read yet.
     *
     * @param adopted runs when a decision has come into force
     */
    Decisions(FabricModel model, EventLoop loop, DecisionStore store, LinkTracker links, DesiredBridges bridges,
            RunGate runs, RepairClock repairs, MoveCounter moves, Assignment assignment, Runnable adopted) {
        this.model = model;
        this.loop = loop;
        this.store = store;
        this.links = links;
        this.bridges = bridges;
        this.runs = runs;
        this.repairs = repairs;
        this.moves = moves;
        this.assignment = assignment;
        this.adopted = adopted;
    }

    /** Reads the stored decision; nothing is changed before it is known. */
    void load() {
        loop.then(store.load(model.name()), (loaded, failure) -> {
            if (failure != null) {
                LOG.error("fabric {}: its stored placement cannot be read, nothing is changed until it can; "
                    + "trying again", model.name(), failure);
                loop.after(STORE_RETRY, this::load);
                return;
            }
            model.load(loaded);
            if (model.isAwaitingFirstReports()) {
                loop.after(GRACE, model::stopAwaitingFirstReports);
            }
        });
    }

    /** Whether a decision is being stored. */
    boolean isStoring() {
        return storing;
    }

    /** Whether the decision in force suits everything that is known. */
    boolean isSettled() {
        return !storing && !isDue();
    }

    /** Whether something has changed that the newest decision does not take into account. */
    boolean isDue() {
        return replan || runs.needsPlacement() || model.configured() != model.topology()
            || !model.unusable().equals(plannedFor) || !model.ringCapable().equals(plannedRings);
    }

    /**
     * Requests a new placement in which any DCM may move if that improves it.
     *
     * @param limit number of DCMs that may move at most; empty for no limit
     * @param moved completed with the number that move
     */
    void rebalance(OptionalInt limit, CompletableFuture<Integer> moved) {
        links.release();
        rebalances.add(moved);
        maxMoves = limit;
        replan = true;
    }

    /** Installs ahead what the decision that is being stored adds, as soon as switches have reported something new. */
    void prepare() {
        if (storing && model.revision() != preparedRevision) {
            prepareNow();
        }
    }

    private void prepareNow() {
        preparedRevision = model.revision();
        if (prepared != null) {
            assignment.prepare(prepared);
        }
    }

    /** Makes a new decision; it is stored before it comes into force. */
    void decide() {
        Topology next = model.configured();
        final Decision before = model.decision();
        final Set<PortId> pending = links.pending(next, model.isPlaced() ? model.topology() : null, model.numbers());
        final Scope scope = new Replan(!model.hasTopology(), next != model.topology(),
            Replan.linksBack(plannedFor, model.unusable()), !rebalances.isEmpty() || runs.needsPlacement(),
            runs.directive().allowsOnlyRepairs(next)).scope();
        replan = false;
        runs.placed();
        if (!model.isPlaced()) {
            links.expectComingUp(next);
        }
        plannedFor = links.unusableUnder(next, model.numbers(), pending);
        plannedRings = model.ringCapable();
        Candidate candidate = new Candidate(next, plannedFor, place(next, scope), pending);
        LOG.debug("fabric {}: placed", model.name());
        int moved = MoveCounter.countMoves(next, before.placement(), candidate.decision.placement());
        repairs.computed(moved);
        rebalances.forEach(request -> request.complete(moved));
        rebalances.clear();
        if (candidate.decision.equals(before)) {
            adopt(candidate);
        } else {
            store(candidate);
        }
    }

    private Decision place(Topology next, Scope scope) {
        Topology weighted = runs.weighted(next);
        return scope == Scope.OPTIMISE && !rebalances.isEmpty() && maxMoves.isPresent()
            ? Planner.decide(next, weighted, plannedFor, model.decision(), bridges.numbers(model.numbers()),
                maxMoves.getAsInt(), plannedRings)
            : Planner.decide(next, weighted, plannedFor, model.decision(), bridges.numbers(model.numbers()), scope,
                plannedRings);
    }

    private void store(Candidate candidate) {
        storing = true;
        if (candidate.topology == model.topology() && !model.isAwaitingFirstReports()) {
            // additions disturb nothing, ports and daqrings as little as rules
            bridges.extend(candidate.topology, candidate.decision);
            prepared = candidate;
            prepareNow();
        }
        loop.then(store.save(model.name(), candidate.decision), (done, failure) -> {
            if (failure == null) {
                storing = false;
                assignment.adoptPrepared();
                adopt(candidate);
                assignment.assign();
            } else {
                // the datastore may not answer for some seconds when it has to refuse a write
                LOG.warn("fabric {}: the new placement could not be stored and is not used; trying again: {}",
                    model.name(), Causes.inWords(failure));
                loop.after(STORE_RETRY, () -> {
                    storing = false;
                    replan = true;
                });
            }
            prepared = null;
            assignment.endPreparation();
        });
    }

    private void adopt(Candidate candidate) {
        moves.count(model.decision().placement(), candidate.decision.placement());
        links.adopt(candidate.pending);
        model.adopt(candidate.topology, candidate.decision);
        LOG.debug("fabric {}: placement stored", model.name());
        bridges.extend(candidate.topology, candidate.decision);
        adopted.run();
        // a failure from before this loop started is reported only now; the decision takes it into account already
        if (!isDue()) {
            repairs.adopted();
        }
    }
}
