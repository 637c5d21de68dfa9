package org.daqfabric.impl.engine.trace;

import java.util.ArrayList;
import java.util.List;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Which packets between ROS and DCMs arrive.
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
        int pairs = 0;
        List<String> lost = new ArrayList<>();
        for (Endpoint from : topology.endpoints().values()) {
            for (Endpoint to : topology.endpoints().values()) {
                boolean connected = from.edge().equals(to.edge()) ? !from.sharesHost(to)
                    : routing.plane(from.edge(), to.address()).isPresent();
                if (from.kind() == to.kind() || !connected) {
                    continue;
                }
                pairs++;
                PacketPath path = trace.follow(from, to.address());
                if (!path.arrived()) {
                    lost.add(from.name() + " -> " + to.name() + ": " + path.problem() + " after "
                        + String.join(", ", path.switches()));
                }
            }
        }
        return new Coverage(pairs, List.copyOf(lost));
    }
}
