package org.daqfabric.impl.controller;

import java.util.Set;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.whatif.Snapshot;
import org.daqfabric.impl.engine.identity.Relabelling;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.whatif.WhatIfQuestion;

/** Takes snapshots of a fabric, from which questions are answered. Belongs to the fabric's event loop. */
final class Snapshots {
    private final FabricModel model;
    private final LinkTracker links;
    private final Rollout rollout;
    private final DesiredBridges bridges;
    private final Assignment assignment;
    private final RunGate runs;

    Snapshots(FabricModel model, LinkTracker links, Rollout rollout, DesiredBridges bridges, Assignment assignment,
            RunGate runs) {
        this.model = model;
        this.links = links;
        this.rollout = rollout;
        this.bridges = bridges;
        this.assignment = assignment;
        this.runs = runs;
    }

    /** Weights are measured during runs, and configured after them. */
    private RunDirective directive(WhatIfQuestion asked) {
        return asked.measured().isPresent() ? RunDirective.FREE : runs.directive();
    }

    /** The fabric, which has a configuration in force, at this moment. */
    Snapshot take(WhatIfQuestion asked) {
        Topology topology = model.topology();
        PortNumbers numbers = model.numbers();
        Topology next = asked.spec().equals(topology.spec()) ? topology : model.topologyOf(asked.spec());
        Set<PortId> pending = links.pending(next, topology, model.moved(next), numbers);
        Set<PortId> stillPending = next == topology ? pending : Set.of();
        UnusableLinks proven = links.unusableUnder(next, numbers, stillPending);
        Relabelling labels = Relabelling.between(topology.identities(), next.identities());
        Snapshot now = new Snapshot(topology, model.decision(), model.unusable(), rollout.programs(), model.switches(),
            bridges.numbers(numbers), model.ringCapable(), assignment.avoided(),
            model.withHostsDown(links.dead(topology, numbers)),
            directive(asked), next, links.unusableUnder(next, numbers, pending), proven,
            asked.links().isEmpty() ? proven : links.unusableWithout(next, numbers, asked.links(), stillPending),
            rollout.generation());
        return labels.changesLabels() ? now.relabelled(labels, asked.links()) : now;
    }
}
