package org.daqfabric.impl.engine.trace;

import java.util.ArrayList;
import java.util.List;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Which pairs of a ROS and a DCM get their packets.
 *
 * @param pairs number of pairs followed, each way counted
 * @param lost those that do not arrive though links would allow it, with the reason
 */
public record Coverage(int pairs, List<String> lost) {
    /**
     * Follows a packet of every pair.
     *
     * @param allowed says which pairs have a way by the links that are up
     */
    public static Coverage of(Topology topology, Trace trace, Routing allowed) {
        int pairs = 0;
        List<String> lost = new ArrayList<>();
        for (Endpoint from : topology.endpoints().values()) {
            for (Endpoint to : topology.endpoints().values()) {
                if (from.kind() == to.kind() || allowed.plane(from.edge(), to.address()).isEmpty()) {
                    continue;
                }
                pairs++;
                PacketPath path = trace.follow(from.edge(), to.address());
                if (!path.arrived()) {
                    lost.add(from.name() + " -> " + to.name() + ": " + path.problem() + " after "
                        + String.join(", ", path.switches()));
                }
            }
        }
        return new Coverage(pairs, List.copyOf(lost));
    }
}
