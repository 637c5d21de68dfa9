package org.daqfabric.impl.controller;

import com.google.common.collect.Sets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.async.CacheKey;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.rollout.ProgramCache;
import org.daqfabric.impl.controller.rollout.RepairClock;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.rollout.AvoidedLinks;
import org.daqfabric.impl.engine.rollout.Step;
import org.daqfabric.impl.engine.topology.Segment;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every switch the program that follows from the decision, the unusable links and the ports that exist, and moves
 * the rollout on. Belongs to the fabric's event loop.
 */
final class Assignment {
    private static final Logger LOG = LoggerFactory.getLogger(Assignment.class);
    /** How long a switch that does not answer may delay a new configuration for the others. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** The same in a repair, for additions. */
    private static final Duration REPAIR_PATIENCE = Duration.ofMillis(100);
    /** The same in a repair, for changes inside the fabric: edge switches must not send where no path continues. */
    private static final Duration REPAIR_PATIENCE_INSIDE = Duration.ofSeconds(1);

    private final FabricModel model;
    private final EventLoop loop;
    private final LinkTracker links;
    private final RepairClock repairs;
    private final DesiredBridges bridges;
    private final Rollout rollout;
    private final LeavingRings rings;
    private final Following following;
    private ProgramCache programs = new ProgramCache();
    /** What the assigned programs were computed from; null before the first. */
    private @Nullable CacheKey assignedFor;
    private AvoidedLinks avoided = AvoidedLinks.UNKNOWN;
    /** The links of the topology for which they were computed. */
    private Set<PortId> linksBefore = Set.of();
    /** The programs of a decision that is being stored, whose additions are installed ahead; null if there is none. */
    private @Nullable ProgramCache preparedPrograms;

    Assignment(FabricModel model, EventLoop loop, LinkTracker links, RepairClock repairs, DesiredBridges bridges,
            Rollout rollout, LeavingRings rings, Following following) {
        this.model = model;
        this.loop = loop;
        this.links = links;
        this.repairs = repairs;
        this.bridges = bridges;
        this.rollout = rollout;
        this.rings = rings;
        this.following = following;
    }

    AvoidedLinks avoided() {
        return avoided;
    }

    /**
     * Assigns the programs. After a restart the switches forward already; which links are down is known once all have
     * reported, and until then a program would undo repairs.
     */
    void assign() {
        if (model.isAwaitingFirstReports() && model.haveAllReported()) {
            model.stopAwaitingFirstReports();
        }
        CacheKey inputs = CacheKey.of(model.topology(), model.unusable(), model.decision(), model.revision());
        if (model.isAwaitingFirstReports() || inputs.isSame(assignedFor)) {
            return;
        }
        SortedMap<String, Program> desired = programs.compile(model.topology(), model.unusable(), model.decision(),
            model.present(model.topology(), model.numbers()));
        Set<PortId> linksNow = model.topology().spec().links().stream().map(Link::end).collect(Collectors.toSet());
        avoided = avoided.with(Sets.symmetricDifference(linksNow, linksBefore));
        linksBefore = linksNow;
        if (rollout.begin(desired, avoided.order(model.topology(), model.unusable()))) {
            avoided = avoided.during(model.topology(), model.unusable());
            boolean repairing = repairs.isBusy();
            long begun = rollout.generation();
            loop.after(repairing ? REPAIR_PATIENCE : PATIENCE, () -> skipLate(begun, Step.ADD));
            waitAtMost(repairing ? REPAIR_PATIENCE_INSIDE : PATIENCE, begun);
        }
        assignedFor = inputs;
    }

    /**
     * Waits so long for switches inside the fabric before the edge changes, and again for those late in the next step.
     */
    private void waitAtMost(Duration patience, long generation) {
        loop.after(patience, () -> {
            skipLate(generation, Step.CHANGE_INSIDE);
            if (rollout.holdsUpEdge(generation)) {
                waitAtMost(patience, generation);
            }
        });
    }

    private void skipLate(long generation, Step upTo) {
        Set<String> late = rollout.skipLate(generation, upTo);
        if (!late.isEmpty()) {
            LOG.warn("fabric {}: no longer waiting for {}", model.name(), late);
            Set<PortId> returned = upTo == Step.ADD ? returned(late) : Set.of();
            if (!returned.isEmpty()) {
                LOG.warn("fabric {}: {} not used yet, as {} lacks rules", model.name(), returned, late);
                links.postpone(returned);
            }
        }
    }

    /** The links of some switches that are to be used again by programs that these switches do not have. */
    private Set<PortId> returned(Set<String> names) {
        return names.stream().filter(model.topology().roles()::containsKey)
            .flatMap(name -> model.topology().segments(name).stream()).map(Segment::id)
            .filter(link -> avoided.links().contains(link) && !model.unusable().down().contains(link))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Computes the programs of a decision that is being stored, with the cache that they will have when it is. */
    void prepare(DecisionCandidate next) {
        if (preparedPrograms == null) {
            preparedPrograms = programs.copy();
        }
        rollout.prepare(preparedPrograms.compile(next.topology(), next.unusable(), next.decision(),
            model.present(next.topology(), next.decision().portNumbers())));
    }

    /** The prepared decision is in force. */
    void adoptPrepared() {
        if (preparedPrograms != null) {
            programs = preparedPrograms;
        }
    }

    /** All switches within reach have confirmed their changes, and packets follow. */
    void followed() {
        avoided = avoided.followed(model.topology(), model.unusable());
    }

    /** Stops installing ahead. */
    void endPreparation() {
        preparedPrograms = null;
        rollout.prepare(Map.of());
    }

    /**
     * Begins the next step when all switches have finished the one before.
     *
     * @param mayNeedMore whether more than the programs need may be needed soon, so that nothing is removed
     */
    void advance(boolean mayNeedMore) {
        boolean adding = rollout.isAdding();
        rollout.advance(() -> !mayNeedMore && mayRemove());
        if (adding && !rollout.isAdding()) {
            avoided = avoided.changing(model.topology(), model.unusable());
        }
    }

    /** A switch out of reach keeps forwarding as before, and newer programs may need what these do not. */
    private boolean mayRemove() {
        if (!links.reachesAll() || model.isCreatingPorts()) {
            return false;
        }
        var leaving = bridges.leavingRings(model.decision());
        boolean takesNothing = leaving.isEmpty() && !rollout.removesSomething();
        return (takesNothing || following.isReached()) && rings.areEmpty(leaving, rollout.drivers());
    }

    /** Rules and groups sent so far. */
    int messages() {
        return rollout.messages();
    }

    /**
     * Advances, notes what the switches have confirmed, and removes ports once no rule needs them.
     *
     * @return whether all switches within reach have confirmed their changes
     */
    boolean finish(boolean mayNeedMore) {
        if (model.isAwaitingFirstReports()) {
            return false;
        }
        advance(mayNeedMore);
        boolean confirmed = rollout.hasFinished(Stage.CHANGE);
        if (confirmed) {
            repairs.confirmed(rollout.messages());
        }
        if (!mayNeedMore && rollout.hasFinished(Stage.REMOVE)) {
            avoided = AvoidedLinks.settled(model.topology(), model.unusable());
            Set<String> gone = bridges.trim(model.topology(), model.decision());
            // a switch that is configured again by now starts afresh with the next decision
            gone.removeAll(model.configured().roles().keySet());
            rollout.drivers().keySet().removeAll(gone);
            model.forget(gone);
        }
        return confirmed;
    }
}
