package org.daqfabric.impl.engine.capacity;

import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;

/** The event bandwidth of a fabric under a placement. */
public final class Capacities {
    private Capacities() {
    }

    /** The capacity of a placement; places the fabric afresh for comparison. */
    public static Capacity capacity(Topology topology, UnusableLinks view, Placement placement) {
        return capacity(Loads.of(topology, view, placement), nominal(topology));
    }

    /**
     * The capacity that loads amount to.
     *
     * @param nominal from {@link #nominal}, which depends on the topology only and is worth keeping
     */
    public static Capacity capacity(Loads loads, double nominal) {
        double bandwidth = loads.bandwidth();
        return new Capacity(bandwidth, nominal, loads.bottleneck().map(LinkLoad::toString).orElse(""),
            nominal == 0 ? 0 : Math.min(1, bandwidth / nominal));
    }

    /** Gbps with every link up, nothing drained and everything placed afresh. */
    public static double nominal(Topology topology) {
        FabricSpec spec = topology.spec();
        Topology whole = new Topology(new FabricSpec(spec.name(), spec.planes(), spec.pods(),
            spec.switches().stream().map(Capacities::inService).toList(),
            spec.links().stream().map(Capacities::inService).toList(), spec.policy()));
        Placement placement = Placer.place(whole, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        return Loads.of(whole, UnusableLinks.ALL_UP, placement).bandwidth();
    }

    private static Switch inService(Switch sw) {
        return new Switch(sw.name(), sw.systemId(), sw.ovsdbAddress(), sw.bridge(), sw.datapathType(),
            AdminState.IN_SERVICE);
    }

    private static Link inService(Link link) {
        return new Link(link.end(), link.peer(), link.capacity(), AdminState.IN_SERVICE);
    }
}
