package org.daqfabric.impl.engine.trace;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.FlowPair;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Which packets between ROS and DCMs, and of the flows of other hosts, arrive.
 *
 * @param pairs number of pairs followed, each direction counted; a host sends itself nothing by a switch
 * @param lost pairs whose packet does not arrive although the usable links allow it, with the reason
 */
public record Coverage(int pairs, List<String> lost) {
    /**
     * Follows a packet of every pair.
     *
     * @param routing says which pairs the usable links connect
     */
    public static Coverage of(Topology topology, Trace trace, Routing routing) {
        Set<List<Endpoint>> pairs = new LinkedHashSet<>();
        for (Endpoint from : topology.endpoints().values()) {
            for (Endpoint to : topology.endpoints().values()) {
                if (from.kind() != to.kind()) {
                    pairs.add(List.of(from, to));
                }
            }
        }
        for (FlowPair pair : topology.others().pairs()) {
            pairs.add(List.of(pair.from(), pair.to()));
            pairs.add(List.of(pair.to(), pair.from()));
        }
        pairs.removeIf(pair -> !connected(routing, pair.get(0), pair.get(1)));
        List<String> lost = new ArrayList<>();
        for (List<Endpoint> pair : pairs) {
            PacketPath path = trace.follow(pair.get(0), pair.get(1).address());
            if (!path.arrived()) {
                lost.add(pair.get(0).name() + " -> " + pair.get(1).name() + ": " + path.problem() + " after "
                    + String.join(", ", path.switches()));
            }
        }
        return new Coverage(pairs.size(), List.copyOf(lost));
    }

    private static boolean connected(Routing routing, Endpoint from, Endpoint to) {
        return from.edge().equals(to.edge()) ? !from.sharesHost(to)
            : routing.plane(from.edge(), to.address()).isPresent();
    }
}
