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

    /** The capacity of a placement. Places the fabric afresh for the nominal bandwidth, which takes time. */
    public static Capacity capacity(Topology topology, UnusableLinks unusable, Placement placement) {
        return capacity(Loads.of(topology, unusable, placement), nominal(topology));
    }

    /**
     * The capacity that follows from loads.
     *
     * @param nominal from {@link #nominal}; it depends on the topology only, so callers cache it
     */
    public static Capacity capacity(Loads loads, double nominal) {
        double bandwidth = loads.bandwidth();
        return new Capacity(bandwidth, nominal, loads.bottleneck().map(LinkLoad::toString).orElse(""),
            nominal == 0 ? 0 : Math.min(1, bandwidth / nominal));
    }

    /** The bandwidth in Gbps with every link up, nothing drained and everything placed afresh. */
    public static double nominal(Topology topology) {
        FabricSpec spec = topology.spec();
        Topology whole = new Topology(spec.with(spec.switches().stream().map(Capacities::inService).toList(),
            spec.links().stream().map(Capacities::inService).toList()));
        Placement placement = Placer.place(whole, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        return Loads.of(whole, UnusableLinks.ALL_UP, placement).bandwidth();
    }

    private static Switch inService(Switch sw) {
        return sw.withState(AdminState.IN_SERVICE);
    }

    private static Link inService(Link link) {
        return new Link(link.end(), link.peer(), link.capacity(), AdminState.IN_SERVICE);
    }
}
