package org.daqfabric.impl.engine.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.daqfabric.api.run.Concern;
import org.daqfabric.api.run.Selection;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/** Which of the ROS and DCMs that take part have no path to each other. */
final class PartitionReach {
    private static final int MAX_NAMES = 8;

    private PartitionReach() {
    }

    /**
     * Who is cut off: a ROS or DCM from all, or a DCM from some ROS.
     *
     * @param down names of hosts whose ports are down
     */
    static List<Concern> cutOff(Topology topology, Selection selection, Routing routing, Set<String> down) {
        List<Endpoint> ros = participants(topology, selection, false);
        List<Endpoint> dcms = participants(topology, selection, true);
        Set<String> isolated = new TreeSet<>(ros.stream().map(Endpoint::name).toList());
        List<List<String>> missing = new ArrayList<>();
        for (Endpoint dcm : dcms) {
            List<String> without = new ArrayList<>();
            for (Endpoint each : ros) {
                if (!down.contains(dcm.name()) && !down.contains(each.name()) && connected(routing, each, dcm)) {
                    isolated.remove(each.name());
                } else {
                    without.add(each.name());
                }
            }
            missing.add(without);
        }
        List<Concern> concerns = new ArrayList<>();
        for (int i = 0; i < dcms.size(); i++) {
            int all = missing.get(i).size();
            // an isolated ROS has a concern of its own and is not named at every DCM
            missing.get(i).removeAll(all == ros.size() ? Set.of() : isolated);
            if (!missing.get(i).isEmpty()) {
                concerns.add(new Concern(Concern.Kind.DCM, dcms.get(i).name(), all == ros.size() ? "no ROS reaches it"
                    : "not reached by " + names(missing.get(i)) + ", " + all + " of " + ros.size() + " ROS"));
            }
        }
        isolated.forEach(name -> concerns.add(new Concern(Concern.Kind.ROS, name, "it reaches none of the DCMs")));
        return concerns;
    }

    /** Whether packets have a path in both directions; under the placement, unlike {@code UsableFabric.connected}. */
    private static boolean connected(Routing routing, Endpoint ros, Endpoint dcm) {
        return ros.edge().equals(dcm.edge()) || routing.plane(ros.edge(), dcm.address()).isPresent()
            && routing.plane(dcm.edge(), ros.address()).isPresent();
    }

    private static List<Endpoint> participants(Topology topology, Selection selection, boolean dcms) {
        return topology.endpoints().values().stream()
            .filter(host -> host.isDcm() == dcms && PartitionNeeds.takesPart(host, selection)).toList();
    }

    /** The first few. */
    static String names(Collection<String> names) {
        return names.stream().limit(MAX_NAMES).collect(Collectors.joining(", "))
            + (names.size() > MAX_NAMES ? " and " + (names.size() - MAX_NAMES) + " more" : "");
    }
}
