package org.daqfabric.impl.controller.rollout;

import java.util.Optional;
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
import org.daqfabric.impl.engine.place.SpineRepair;
import org.daqfabric.impl.engine.topology.Topology;

/** Makes decisions, and from a decision the desired bridges. Pure functions. */
public final class Planner {
    private Planner() {
    }

    /**
     * Places every address.
     *
     * @param weighted the same fabric with the weights to place by
     * @param given port numbers that switches may still use
     * @param ringCapable switches whose Open vSwitch supports daqrings
     */
    public static Decision decide(Topology topology, Topology weighted, UnusableLinks unusable, Decision previous,
            PortNumbers given, Scope scope, Set<String> ringCapable) {
        return decide(topology, Placer.place(weighted, unusable, previous.placement(), scope), given, ringCapable);
    }

    /**
     * Places the addresses that failures affect, and keeps everything else of a decision, its port numbers too: where a
     * route needs a daqring that has no number, packets pass without one.
     *
     * @param weighted the fabric with the weights to place by
     */
    public static Decision repair(Topology weighted, UnusableLinks unusable, Decision previous) {
        return previous.with(Placer.place(weighted, unusable, previous.placement(), Scope.REPAIR));
    }

    /**
     * Replaces the spines that were lost within their planes, and keeps everything else of a decision.
     *
     * @param weighted the fabric with the weights to place by
     * @return empty if that is not enough
     */
    public static Optional<Decision> repairSpines(Topology weighted, UnusableLinks unusable, Decision previous) {
        return SpineRepair.repair(weighted, unusable, previous.placement()).map(previous::with);
    }

    /** Improves the placement by moving at most so many DCMs; keeps it if that would lower the bandwidth. */
    public static Decision decide(Topology topology, Topology weighted, UnusableLinks unusable, Decision previous,
            PortNumbers given, int maxMoves, Set<String> ringCapable) {
        Placement moved = Placer.place(weighted, unusable, previous.placement(), maxMoves);
        Placement kept = Placer.place(weighted, unusable, previous.placement(), Scope.REPAIR);
        boolean worse = Loads.of(weighted, unusable, moved).bandwidth() < Loads.of(weighted, unusable, kept)
            .bandwidth();
        return decide(topology, worse ? kept : moved, given, ringCapable);
    }

    private static Decision decide(Topology topology, Placement placement, PortNumbers given,
            Set<String> ringCapable) {
        PortNumbers numbers = PortAllocator.allocate(topology, given,
            Daqrings.needed(topology, placement, ringCapable));
        return new Decision(placement, numbers, topology.identities(), Optional.of(topology.spec()));
    }

    /** The desired bridge of every switch. */
    public static SortedMap<String, Bridge> bridges(Topology topology, Decision decision) {
        SortedMap<String, Bridge> bridges = new TreeMap<>();
        for (String switchName : topology.roles().keySet()) {
            bridges.put(switchName, BridgeCompiler.of(topology, decision.portNumbers(), switchName));
        }
        return bridges;
    }
}
