package org.daqfabric.impl.engine.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Which packets between ROS and DCMs, and of the flows of other hosts, arrive.
 *
 * @param pairs number of pairs followed, each direction counted; a host sends itself nothing by a switch
 * @param lost pairs whose packet does not arrive although the usable links allow it, with the reason
 */
public record Coverage(int pairs, List<String> lost) {
    /** A sender and a receiver. */
    private record Pair(Endpoint from, Endpoint to) {
        boolean isConnected(Routing routing) {
            return from.edge().equals(to.edge()) ? !from.sharesHost(to)
                : routing.plane(from.edge(), to.address()).isPresent();
        }
    }

    /**
     * Follows a packet of every pair.
     *
     * @param routing says which pairs the usable links connect
     */
    public static Coverage of(Topology topology, Trace trace, Routing routing) {
        int pairs = 0;
        List<String> lost = new ArrayList<>();
        // one after the other: of events there are hundreds of thousands
        for (Pair pair : (Iterable<Pair>) Stream.concat(events(topology), flows(topology))::iterator) {
            if (pair.isConnected(routing)) {
                pairs++;
                PacketPath path = trace.follow(pair.from, pair.to.address());
                if (!path.arrived()) {
                    lost.add(pair.from.name() + " -> " + pair.to.name() + ": " + path.problem() + " after "
                        + String.join(", ", path.switches()));
                }
            }
        }
        return new Coverage(pairs, List.copyOf(lost));
    }

    private static Stream<Pair> events(Topology topology) {
        return topology.endpoints().values().stream().flatMap(from -> topology.endpoints().values().stream()
            .filter(to -> from.kind() != to.kind()).map(to -> new Pair(from, to)));
    }

    /** Several flows may have the same pair. */
    private static Stream<Pair> flows(Topology topology) {
        return topology.others().pairs().stream()
            .flatMap(pair -> Stream.of(new Pair(pair.from(), pair.to()), new Pair(pair.to(), pair.from()))).distinct();
    }
}
