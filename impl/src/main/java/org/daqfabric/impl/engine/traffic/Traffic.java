package org.daqfabric.impl.engine.traffic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.state.TrafficMatrix;
import org.daqfabric.api.state.TrafficMatrix.Pair;
import org.daqfabric.api.state.TrafficMatrix.Shared;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/** The traffic from ROS to DCMs. */
public final class Traffic {
    private final SortedMap<Address, Endpoint> dcms = new TreeMap<>();
    private final List<Pair> pairs = new ArrayList<>();
    private final List<Shared> shared = new ArrayList<>();

    private Traffic(Topology topology) {
        topology.endpoints().values().stream().filter(Endpoint::isDcm).forEach(dcm -> dcms.put(dcm.address(), dcm));
    }

    /**
     * The matrix. A packet from a ROS to a DCM meets exactly one rule of the ROS's switch: the one for the DCM's
     * address, or for a prefix with it.
     *
     * @param placement the one in force
     * @param over the time in which it was counted; zero for all time
     * @param counted by switch of a ROS and rule
     * @param unread why other switches could not be read
     */
    public static TrafficMatrix of(Topology topology, UnusableLinks unusable, Placement placement, Duration over,
            Map<String, SortedMap<Rule.Key, Counted>> counted, SortedMap<String, String> unread) {
        Traffic traffic = new Traffic(topology);
        topology.endpoints().values().stream().filter(host -> !host.isDcm()).forEach(ros -> counted
            .getOrDefault(ros.edge(), Collections.emptySortedMap())
            .forEach((rule, count) -> traffic.add(ros.name(), rule.match(), count)));
        traffic.pairs.sort(Comparator.comparingLong((Pair pair) -> -pair.bytes()).thenComparing(Pair::ros)
            .thenComparing(Pair::dcm));
        traffic.shared.sort(Comparator.comparingLong((Shared each) -> -each.bytes()).thenComparing(Shared::ros)
            .thenComparing(Shared::prefix));
        return new TrafficMatrix(over, traffic.pairs, traffic.shared, unread,
            MeasuredWeights.of(traffic.pairs, topology, unusable, placement));
    }

    private void add(String ros, Match match, Counted count) {
        if (count.packets() > 0 && match.destination().isPresent()) {
            List<Endpoint> reached = reached(match.destination().get(), match.prefixLength());
            if (reached.size() == 1) {
                pairs.add(new Pair(ros, reached.get(0).name(), count.packets(), count.bytes()));
            } else if (!reached.isEmpty()) {
                shared.add(new Shared(ros, match.destination().get() + "/" + match.prefixLength(), count.packets(),
                    count.bytes()));
            }
        }
    }

    /** The DCMs in a prefix. */
    private List<Endpoint> reached(Address first, int prefixLength) {
        return dcms.tailMap(first).values().stream()
            .takeWhile(dcm -> dcm.address().prefix(prefixLength).equals(first)).toList();
    }
}
