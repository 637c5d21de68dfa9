package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.rollout.MoveCounter;
import org.daqfabric.impl.controller.rollout.Planner;
import org.daqfabric.impl.controller.rollout.RepairClock;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.rollout.Replan;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the placement of a fabric's addresses and stores it before it is acted on; its additions, which nothing uses
 * yet, are installed meanwhile. Belongs to the fabric's event loop.
 *
 * <p>After links have failed the first step of the repair ({@link SpineStep}) comes into
 * force unstored, and the second, the placement, is decided from what was in force before.
 *
 * <p>A store that does not take a decision for {@link DecisionStorage#PATIENCE} does not keep a repair from traffic:
 * the repair comes into force unstored, and storing is tried until it succeeds. What is in force unstored changes
 * routes only. It keeps the port numbers that are stored, so that whoever reads the stored decision later gives no
 * number to another port, and nothing is removed from any switch meanwhile. A new configuration or an improvement
 * waits for the store.
 */
final class Decisions {
    private static final Logger LOG = LoggerFactory.getLogger(Decisions.class);
    /** How long after a restart a switch that does not connect may delay the programs of the others. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final FabricModel model;
    private final EventLoop loop;
    private final DecisionReader reader;
    private final DecisionStorage storage;
    private final DoubtKeeper doubts;
    private final LoopHealth health;
    private final LinkTracker links;
    private final DesiredBridges bridges;
    private final RunGate runs;
    private final RepairClock repairs;
    private final MoveCounter moves;
    private final Assignment assignment;
    private final Runnable adopted;
    private final SpineStep spines;
    /** What the newest decision was made for. */
    private UnusableLinks plannedFor = UnusableLinks.ALL_UP;
    private Set<String> plannedRings = Set.of();
    /** The links that the decision in force does not use. */
    private UnusableLinks repairedFor = UnusableLinks.ALL_UP;
    private boolean replan;
    /** Whether an improvement was decided and could not be stored. */
    private boolean improve;
    /** The decision that waits to be stored, while what it adds is installed ahead; null otherwise. */
    private @Nullable DecisionCandidate waiting;
    /** Whether the additions of {@link #waiting} are installed ahead. */
    private boolean prepared;
    /** Revision of the reports that were last prepared for. */
    private long preparedRevision;
    private final Rebalances rebalances = new Rebalances();

    /**
     * Creates the decisions of a fabric, none of them read yet.
     *
     * @param adopted runs when a decision has come into force
     */
    Decisions(FabricModel model, EventLoop loop, FabricServices services, LoopHealth health, LinkTracker links,
            LossyLinksWatch lossy, DesiredBridges bridges, RunGate runs, RepairClock repairs, MoveCounter moves,
            Assignment assignment, Runnable adopted) {
        this.model = model;
        this.loop = loop;
        reader = new DecisionReader(model.name(), loop, services.store(), stored -> begin(stored, null));
        storage = new DecisionStorage(model.name(), loop, services, health);
        doubts = new DoubtKeeper(model.name(), loop, services.store(), links, lossy);
        this.health = health;
        this.links = links;
        this.bridges = bridges;
        this.runs = runs;
        this.repairs = repairs;
        this.moves = moves;
        this.assignment = assignment;
        this.adopted = adopted;
        spines = new SpineStep(model, loop);
    }

    /**
     * Begins with the decision in force that a loop before has left, or reads the stored one; nothing is changed before
     * it is known.
     */
    void load() {
        storage.follow();
        doubts.read();
        Decision left = health.left();
        if (left == null) {
            reader.read();
            return;
        }
        storage.goOn();
        links.continueFrom(health.leftUnusable());
        begin(left, health.leftSpec());
    }

    DecisionStorage storage() {
        return storage;
    }

    private void begin(Decision known, @Nullable FabricSpec inForce) {
        model.load(known, inForce);
        if (model.isAwaitingFirstReports()) {
            loop.after(GRACE, model::stopAwaitingFirstReports);
        }
    }

    /** Whether a decision waits to be stored, in force already or not; what it may need must not be removed. */
    boolean isStoring() {
        return waiting != null || storage.isBusy() || storage.isUnstored() || spines.isUnderWay();
    }

    /** Whether the decision in force suits everything that is known. */
    boolean isSettled() {
        return !isStoring() && !isDue() && !model.isOnTheWay();
    }

    /** Whether what the programs do not need may be needed: by a decision to come, or as an event was lost. */
    boolean mayNeedMore() {
        return isStoring() || isDue() || health.hasFailed();
    }

    /** What a loop that replaces this one goes on from; null if none is known. */
    @Nullable Decision left() {
        return spines.from();
    }

    /** Every switch within reach has confirmed what is in force. */
    void confirmed() {
        spines.confirmed();
    }

    /**
     * Replaces the spines that failures took, if that is enough for now. It comes into force at once: a controller that
     * starts meanwhile decides the placement from what is stored, as this one does in the second step.
     */
    void replaceSpines() {
        if (model.isAwaitingFirstReports() || !isRepairDue()) {
            return;
        }
        Topology topology = model.topology();
        Set<PortId> pending = pending(topology);
        UnusableLinks unusable = links.unusableUnder(topology, model.numbers(), pending);
        Planner.repairSpines(runs.weighted(topology), unusable, model.decision()).ifPresent(repaired -> {
            repairs.computed(MoveCounter.countMoves(topology, model.decision().placement(), repaired.placement()));
            spines.begin();
            endWaiting();
            putIntoForce(new DecisionCandidate(topology, unusable, repaired, pending));
            repairs.adopted();
        });
    }

    /**
     * Decides if something has changed and the store is not busy, when the switches have confirmed the first step of a
     * repair; repairs if the store is late, whether it is busy or not.
     */
    void decideIfDue() {
        doubts.update();
        if (spines.isAwaited()) {
            return;
        }
        if (storage.isLate() && (isRepairDue() || spines.isUnderWay())) {
            repairUnstored();
        }
        if (storage.isBusy()) {
            return;
        }
        if (storage.isUnstored()) {
            storeInForce();
        } else if (isDue()) {
            decide();
        }
    }

    /** Whether links have failed that the decision in force uses, or none is in force while the stored one suits. */
    private boolean isRepairDue() {
        return model.hasTopology() ? !repairedFor.down().containsAll(model.unusable().down())
            : model.hasRun() && hasNumbersFor(model.configured());
    }

    private boolean hasNumbersFor(Topology topology) {
        return topology.roles().keySet().stream()
            .allMatch(name -> model.numbers().of(name).keySet().containsAll(topology.devices(name)));
    }

    /** Whether something has changed that the newest decision does not take into account. */
    boolean isDue() {
        return replan || spines.isUnderWay() || storage.isDoubtful() || runs.needsPlacement()
            || model.configured() != model.topology() || !model.unusable().equals(plannedFor)
            || !model.ringCapable().equals(plannedRings);
    }

    /**
     * Requests a new placement in which any DCM may move if that improves it.
     *
     * @param limit number of DCMs that may move at most; empty for no limit
     * @param moved completed with the number that move
     */
    void rebalance(OptionalInt limit, CompletableFuture<Integer> moved) {
        links.release();
        rebalances.add(limit, moved);
        replan = true;
    }

    /** Installs ahead what the decision that is being stored adds, as soon as switches have reported something new. */
    void prepare() {
        if (prepared && model.revision() != preparedRevision) {
            prepareNow();
        }
    }

    private void prepareNow() {
        preparedRevision = model.revision();
        assignment.prepare(waiting);
    }

    /** Makes a new decision; it is stored before it comes into force. */
    private void decide() {
        Topology next = model.configured();
        final Decision inForce = model.decision();
        final Set<PortId> pending = pending(next);
        final Scope scope = new Replan(!model.hasTopology(), next != model.topology(),
            Replan.linksBack(plannedFor, model.unusable()), !rebalances.isEmpty() || runs.needsPlacement() || improve,
            runs.directive().allowsOnlyRepairs(next)).scope();
        replan = false;
        improve = false;
        runs.placed();
        plannedFor = links.unusableUnder(next, model.numbers(), pending);
        plannedRings = model.ringCapable();
        DecisionCandidate candidate = new DecisionCandidate(next, plannedFor, place(next, scope), pending);
        final Consumer<Boolean> rebalanced = rebalances.decided(computed(next, candidate.decision()));
        if (candidate.decision().equals(inForce) && spines.from().equals(inForce)) {
            adopt(new DecisionCandidate(next, plannedFor, inForce, pending));
            if (storage.isDoubtful()) {
                storeInForce();
            } else {
                storage.end();
            }
            rebalanced.accept(true);
        } else {
            store(candidate, scope, rebalanced);
        }
    }

    /** A placement has been computed; it moves the number of DCMs that is returned. */
    private int computed(Topology topology, Decision decided) {
        int moved = MoveCounter.countMoves(topology, model.decision().placement(), decided.placement());
        if (spines.isUnderWay()) {
            repairs.balanced(moved, assignment.messages());
        } else {
            repairs.computed(moved);
        }
        return moved;
    }

    private Set<PortId> pending(Topology next) {
        if (!model.hasTopology() && model.hasRun()) {
            bridges.assume(next, model.decision(), model.left(), model.displaced(), health.leftBridges());
        }
        Topology before = model.hasRun() ? model.topology() : null;
        Set<PortId> pending = links.pending(next, before, model.moved(next), model.numbers());
        if (!model.hasRun()) {
            links.expectComingUp(next);
        }
        return pending;
    }

    private Decision place(Topology next, Scope scope) {
        Topology weighted = runs.weighted(next);
        return scope == Scope.OPTIMISE && rebalances.limit().isPresent()
            ? Planner.decide(next, weighted, plannedFor, spines.from(), bridges.numbers(model.numbers()),
                rebalances.limit().getAsInt(), plannedRings)
            : Planner.decide(next, weighted, plannedFor, spines.from(), bridges.numbers(model.numbers()), scope,
                plannedRings);
    }

    /**
     * Stores a decision, which comes into force then.
     *
     * @param ended told whether it is stored and in force
     */
    private void store(DecisionCandidate candidate, Scope scope, Consumer<Boolean> ended) {
        waiting = candidate;
        if (candidate.topology() == model.topology() && !model.isAwaitingFirstReports()) {
            // additions disturb nothing, ports and daqrings as little as rules
            bridges.extend(candidate.topology(), candidate.decision());
            prepared = true;
            prepareNow();
        }
        storage.write(candidate.decision(), failure -> {
            boolean wanted = waiting == candidate;
            improve |= scope == Scope.OPTIMISE && (failure != null || !wanted);
            if (!wanted) {
                storage.doubt();
            }
            if (failure != null) {
                tryLater("the new placement could not be stored and is not used", failure);
            } else if (wanted) {
                storage.end();
                if (prepared) {
                    assignment.adoptPrepared();
                }
                adopt(candidate);
                assignment.assign();
            }
            ended.accept(failure == null && wanted);
            if (wanted) {
                endWaiting();
            }
        });
    }

    private void endWaiting() {
        waiting = null;
        prepared = false;
        assignment.endPreparation();
    }

    private void tryLater(String what, Throwable failure) {
        storage.tryLater(what, failure, () -> replan = true);
    }

    /**
     * Puts a repair into force that is not stored. It is made from the configuration in force, or from the newest one
     * if none is and all its ports have stored numbers.
     */
    private void repairUnstored() {
        Topology topology = model.hasTopology() ? model.topology() : model.configured();
        Set<PortId> pending = pending(topology);
        UnusableLinks unusable = links.unusableUnder(topology, model.numbers(), pending);
        Decision repaired = Planner.repair(runs.weighted(topology), unusable, spines.from());
        boolean changed = !repaired.equals(model.decision());
        Decision decision = changed ? repaired : model.decision();
        endWaiting();
        // what needs the store is decided when it works again
        replan = true;
        if (changed || spines.isUnderWay()) {
            int moved = computed(topology, decision);
            LOG.warn("fabric {}: the datastore does not take the repair, which moves {} DCMs: it is in force unstored,"
                + " and storing it is tried until it succeeds", model.name(), moved);
            storage.unstored();
        }
        adopt(new DecisionCandidate(topology, unusable, decision, pending));
        repairs.adopted();
    }

    /** Stores the decision in force again, or at last. */
    private void storeInForce() {
        Decision inForce = model.decision();
        storage.write(inForce, failure -> {
            if (failure != null) {
                tryLater("the placement in force could not be stored", failure);
            } else if (inForce.equals(model.decision())) {
                storage.stored();
            }
        });
    }

    private void adopt(DecisionCandidate candidate) {
        spines.end();
        repairs.placed();
        putIntoForce(candidate);
    }

    private void putIntoForce(DecisionCandidate candidate) {
        moves.count(model.decision().placement(), candidate.decision().placement());
        links.adopt(candidate.pending());
        repairedFor = candidate.unusable();
        model.adopt(candidate.topology(), candidate.decision());
        LOG.debug("fabric {}: placement in force", model.name());
        bridges.extend(candidate.topology(), candidate.decision());
        adopted.run();
        // a failure from before this loop started is reported only now; the decision takes it into account already
        if (!isDue()) {
            repairs.adopted();
        }
    }
}
