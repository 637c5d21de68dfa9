package org.daqfabric.impl.engine.whatif;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.FlowPair;
import org.daqfabric.impl.engine.topology.Topology;

/** Which ROS, DCMs and flows the usable links connect; a placement gives a route to every pair that they connect. */
final class Reachability {
    private final UsableFabric fabric;
    private final List<String> cutOffDcms = new ArrayList<>();
    private final List<String> cutOffRos = new ArrayList<>();
    private final List<String> cutOffFlows;

    Reachability(Topology topology, UnusableLinks unusable) {
        fabric = new UsableFabric(topology, unusable);
        Set<Integer> rosEdges = new HashSet<>();
        Set<Integer> rackEdges = new HashSet<>();
        topology.endpoints().values().forEach(host ->
            (host.isDcm() ? rackEdges : rosEdges).add(fabric.edge(host.edge())));
        Set<Integer> sending = new HashSet<>();
        Map<Integer, Set<Integer>> reached = new HashMap<>();
        for (int ros : rosEdges) {
            for (int rack : rackEdges) {
                if (ros != rack && fabric.connected(ros, rack)) {
                    sending.add(ros);
                    reached.computeIfAbsent(rack, key -> new HashSet<>()).add(ros);
                }
            }
        }
        // a node that is both needs no link for itself
        rackEdges.stream().filter(sending::contains)
            .forEach(rack -> reached.computeIfAbsent(rack, key -> new HashSet<>()).add(rack));
        for (Endpoint host : topology.endpoints().values()) {
            int edge = fabric.edge(host.edge());
            if (!host.isDcm() && !sending.contains(edge)) {
                cutOffRos.add(host.name());
            } else if (host.isDcm() && (sending.isEmpty() || !sending.equals(reached.get(edge)))) {
                cutOffDcms.add(host.name());
            }
        }
        cutOffDcms.sort(null);
        cutOffRos.sort(null);
        cutOffFlows = topology.others().pairs().stream().filter(FlowPair::usesLinks)
            .filter(pair -> !fabric.connected(fabric.edge(pair.from().edge()), fabric.edge(pair.to().edge())))
            .map(FlowPair::flow).distinct().sorted().toList();
    }

    /** DCMs that no ROS reaches, or not every ROS that reaches some. */
    List<String> cutOffDcms() {
        return cutOffDcms;
    }

    /** ROS that reach no DCM. */
    List<String> cutOffRos() {
        return cutOffRos;
    }

    /** Flows of which some sender does not reach some receiver. */
    List<String> cutOffFlows() {
        return cutOffFlows;
    }
}
