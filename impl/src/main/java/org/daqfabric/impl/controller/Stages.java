package org.daqfabric.impl.controller;

import com.google.common.collect.Sets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.rollout.MoveStages;
import org.daqfabric.impl.engine.topology.Topology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads the fabric to its newest configuration, through those that {@link MoveStages} gives. Belongs to the fabric's
 * event loop.
 */
final class Stages {
    private static final Logger LOG = LoggerFactory.getLogger(Stages.class);
    /** How long the links of a switch that has moved are waited for, and switches that do not confirm or answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final FabricModel model;
    private final EventLoop loop;
    private final Rollout rollout;
    private final LinkTracker links;
    private final Following following;
    private final Assignment assignment;
    private final DesiredBridges bridges;
    /** Switches that were taken out, and that packets may still pass until their bridges go: as what they did so. */
    private final Map<String, Topology> leaving = new HashMap<>();
    /** Whether the next stage begins whatever the switches have confirmed. */
    private boolean atOnce;
    /** Whether what was entered last is on the way to a configuration: packets may still follow what was before. */
    private boolean underWay;
    private long stage;

    Stages(FabricModel model, EventLoop loop, Rollout rollout, LinkTracker links, Following following,
            Assignment assignment, DesiredBridges bridges) {
        this.model = model;
        this.loop = loop;
        this.rollout = rollout;
        this.links = links;
        this.following = following;
        this.assignment = assignment;
        this.bridges = bridges;
    }

    /**
     * There is a new configuration, and its first stage begins at once; but if switches were about to move and still
     * are, or move in that stage as they are drained already, what has another path must have taken it first. So it
     * must if a switch that was taken out a moment before comes back as another one.
     */
    void begin() {
        atOnce = model.hasTopology() && !(underWay && moves(model.wanted()))
            && !moves(next());
        if (!atOnce) {
            limit();
        }
    }

    /**
     * Enters the next stage when the one before is in force and all switches that packets could meet follow it. A
     * switch out of reach may still send to one that moves, unless it moves itself: then the others have left it.
     */
    void advance(Decisions decisions) {
        // a controller before this one may have been on the way
        underWay |= !model.hasTopology() && model.isOnTheWay();
        if (!model.hasTopology() || !model.isOnTheWay() || model.isAwaitingFirstReports() || decisions.isStoring()) {
            return;
        }
        // another configuration may have come into force since
        if (atOnce && moves(next())) {
            atOnce = false;
            limit();
        }
        if (!atOnce) {
            if (decisions.isDue() || !links.reachesAllBut(MoveStages.moving(model.topology(), model.wanted()))
                    || !rollout.hasFinished(Stage.CHANGE) || !following.isReached()) {
                return;
            }
            assignment.followed();
        }
        atOnce = false;
        FabricSpec next = next();
        if (!next.equals(model.configured().spec())) {
            enter(next);
        }
    }

    private FabricSpec next() {
        return MoveStages.next(model.topology(), model.wanted(), model.unusable());
    }

    private boolean moves(FabricSpec next) {
        return !MoveStages.moving(model.topology(), next).isEmpty() || returnsElsewhere(next);
    }

    /** Whether a switch that is leaving comes back with another bridge or role, or its bridge as another switch's. */
    private boolean returnsElsewhere(FabricSpec next) {
        leaving.keySet().retainAll(bridges.switches());
        return leaving.entrySet().stream().anyMatch(each -> {
            Switch before = each.getValue().switchOf(each.getKey());
            return MoveStages.moving(each.getValue(), next).contains(each.getKey())
                || next.switches().stream().anyMatch(now -> !now.name().equals(before.name())
                    && MarkedBridge.of(model.name(), now).equals(MarkedBridge.of(model.name(), before)));
        });
    }

    private void noteLeaving(FabricSpec next) {
        Set<String> stay = names(next);
        leaving.keySet().removeAll(stay);
        Sets.difference(names(model.topology().spec()), stay).forEach(each -> leaving.put(each, model.topology()));
    }

    private static Set<String> names(FabricSpec spec) {
        return spec.switches().stream().map(Switch::name).collect(Collectors.toSet());
    }

    private void enter(FabricSpec next) {
        noteLeaving(next);
        SortedSet<String> moving = MoveStages.moving(model.topology(), model.wanted());
        if (!moving.isEmpty()) {
            LOG.info("fabric {}: {} move: {}", model.name(), moving, next.equals(model.wanted())
                ? "now, as no packet needs them or nothing else leads there" : "what has another path takes it first");
        }
        model.enter(next);
        underWay = model.isOnTheWay();
        limit();
    }

    /** From now on it takes {@link #PATIENCE} at most until the next stage. */
    private void limit() {
        long waiting = ++stage;
        loop.after(PATIENCE, () -> {
            if (stage == waiting && model.hasTopology() && model.isOnTheWay()) {
                LOG.warn("fabric {}: no longer waiting before {} move", model.name(),
                    MoveStages.moving(model.topology(), model.wanted()));
                if (rollout.hasFinished(Stage.CHANGE) && following.isReached()) {
                    assignment.followed();
                }
                enter(MoveStages.nextWithoutWaiting(model.topology(), model.wanted(), model.unusable()));
            }
        });
    }
}
