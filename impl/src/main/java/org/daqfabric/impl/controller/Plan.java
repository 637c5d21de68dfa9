package org.daqfabric.impl.controller;

import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.FabricView;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.engine.compile.Bridges;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;

/** From what is known to what is decided, and from that to what OVSDB must hold. Pure functions. */
final class Plan {
    private Plan() {
    }

    /**
     * Places every address.
     *
     * @param placing the same fabric with the weights to place by
     * @param given port numbers the switches may still know of
     * @param ringCapable switches whose Open vSwitch knows daqrings
     */
    static Decision decide(Topology topology, Topology placing, FabricView view, Decision previous, PortNumbers given,
            Scope scope, Set<String> ringCapable) {
        Placement placement = Placer.place(placing, view, previous.placement(), scope);
        PortNumbers numbers = PortAllocator.allocate(topology, given,
            Daqrings.needed(topology, placement, ringCapable));
        return new Decision(placement, numbers);
    }

    static SortedMap<String, Bridge> bridges(Topology topology, Decision decision) {
        SortedMap<String, Bridge> bridges = new TreeMap<>();
        for (String switchName : topology.roles().keySet()) {
            bridges.put(switchName, Bridges.of(topology, decision.portNumbers(), switchName));
        }
        return bridges;
    }
}
