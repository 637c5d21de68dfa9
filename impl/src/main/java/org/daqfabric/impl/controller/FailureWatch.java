package org.daqfabric.impl.controller;

import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.rollout.RepairClock;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notes the links that fail and return, and has the repair of those that fail timed. Belongs to the event loop. */
final class FailureWatch {
    private static final Logger LOG = LoggerFactory.getLogger(FailureWatch.class);

    private final FabricModel model;
    private final LinkTracker links;
    private final RepairClock repairs;
    private final Rollout rollout;

    FailureWatch(FabricModel model, LinkTracker links, RepairClock repairs, Rollout rollout) {
        this.model = model;
        this.links = links;
        this.repairs = repairs;
        this.rollout = rollout;
    }

    /** The links that may not be used are these now. */
    void note(UnusableLinks now) {
        Set<PortId> failed = new TreeSet<>(now.down());
        failed.removeAll(model.unusable().down());
        failed.removeAll(links.unproven());
        Set<PortId> back = new TreeSet<>(model.unusable().down());
        back.removeAll(now.down());
        Set<PortId> waiting = new TreeSet<>(failed);
        waiting.retainAll(links.heldBack());
        failed.removeAll(waiting);
        if (!failed.isEmpty()) {
            begin("down", failed);
        } else if (!waiting.isEmpty()) {
            // what was in use only because it was needed, or leads to a switch to keep away from
            begin("not used any more", waiting);
        }
        if (!back.isEmpty()) {
            LOG.info("fabric {}: back: {}", model.name(), back);
        }
        model.setUnusable(now);
    }

    private void begin(String what, Set<PortId> lost) {
        LOG.warn("fabric {}: {}: {}", model.name(), what, lost);
        if (model.isPlaced()) {
            repairs.failure(what, lost, rollout.messages());
        }
    }
}
