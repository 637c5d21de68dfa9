package org.daqfabric.impl.engine.capacity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * ROS of one pod whose packets to an address take the same plane and spine, because they have links into the same
 * planes, one into each. A ROS whose node is also one for DCMs is a group of its own, as it sends these nothing by a
 * link; so is one with parallel links, since it has a lane per address. Therefore these are not the groups of the
 * placement model, which counts a bundle as one link.
 *
 * @param edges the indexes of their edge switches
 * @param weights their fragment weights
 * @param weight the sum of these
 */
record RosGroup(int pod, int[] edges, double[] weights, double weight) {
    static List<RosGroup> of(Topology topology, UsableFabric fabric) {
        Map<List<Object>, List<Endpoint>> groups = new LinkedHashMap<>();
        topology.edges().forEach((name, hosts) -> hosts.stream().filter(host -> !host.isDcm())
            .forEach(host -> groups.computeIfAbsent(kind(topology, fabric, name), key -> new ArrayList<>())
                .add(host)));
        return groups.values().stream().map(ros -> {
            int[] edges = ros.stream().mapToInt(host -> fabric.edge(host.edge())).toArray();
            double[] weights = ros.stream().mapToDouble(Endpoint::weight).toArray();
            double sum = 0;
            for (double weight : weights) {
                sum += weight;
            }
            return new RosGroup(fabric.podOfEdge(edges[0]), edges, weights, sum);
        }).toList();
    }

    /** Equal for edge switches of one group. */
    private static List<Object> kind(Topology topology, UsableFabric fabric, String name) {
        if (topology.roles().get(name).buildsEvents()) {
            return List.of(name);
        }
        int edge = fabric.edge(name);
        List<Object> kind = new ArrayList<>();
        kind.add(fabric.podOfEdge(edge));
        for (int plane = 0; plane < fabric.planes(); plane++) {
            int links = fabric.edgeLinks(plane, edge).size();
            kind.add(links == 0 ? "none" : links == 1 ? "one" : name);
        }
        return kind;
    }
}
