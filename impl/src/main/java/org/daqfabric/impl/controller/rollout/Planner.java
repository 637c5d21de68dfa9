package org.daqfabric.impl.controller.rollout;

import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.compile.BridgeCompiler;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;

/** From what is known to what is decided, and from that to what OVSDB must hold. Pure functions. */
public final class Planner {
    private Planner() {
    }

    /**
     * Places every address.
     *
     * @param placing the same fabric with the weights to place by
     * @param given port numbers the switches may still know of
     * @param ringCapable switches whose Open vSwitch knows daqrings
     */
    public static Decision decide(Topology topology, Topology placing, UnusableLinks view, Decision previous, PortNumbers given,
            Scope scope, Set<String> ringCapable) {
        return decide(topology, Placer.place(placing, view, previous.placement(), scope), given, ringCapable);
    }

    /** Places anew what gains by it, but moves so many DCMs at most, and never for less bandwidth. */
    public static Decision decide(Topology topology, Topology placing, UnusableLinks view, Decision previous, PortNumbers given,
            int mostMoves, Set<String> ringCapable) {
        Placement moved = Placer.place(placing, view, previous.placement(), mostMoves);
        Placement kept = Placer.place(placing, view, previous.placement(), Scope.REPAIR);
        boolean worse = Loads.of(placing, view, moved).bandwidth() < Loads.of(placing, view, kept).bandwidth();
        return decide(topology, worse ? kept : moved, given, ringCapable);
    }

    private static Decision decide(Topology topology, Placement placement, PortNumbers given,
            Set<String> ringCapable) {
        PortNumbers numbers = PortAllocator.allocate(topology, given,
            Daqrings.needed(topology, placement, ringCapable));
        return new Decision(placement, numbers);
    }

    public static SortedMap<String, Bridge> bridges(Topology topology, Decision decision) {
        SortedMap<String, Bridge> bridges = new TreeMap<>();
        for (String switchName : topology.roles().keySet()) {
            bridges.put(switchName, BridgeCompiler.of(topology, decision.portNumbers(), switchName));
        }
        return bridges;
    }
}
