package org.daqfabric.impl.engine.proof;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A way that packets of events take: from the ROS behind an edge switch to a DCM, or from the DCMs behind one to a ROS.
 *
 * @param from name of the edge switch where the packets begin
 * @param to a ROS or DCM behind another edge switch
 */
public record Pair(String from, Endpoint to) {
    /** Pairs in succession that begin at one edge switch, which is then told of several packets at once. */
    private static final int AT_ONCE = 8;

    /** Every pair of a fabric but those of edge switches all of whose links are drained. */
    static List<Pair> of(Topology topology) {
        List<String> edges = topology.edges().keySet().stream().filter(edge -> topology.segments(edge).stream()
            .anyMatch(each -> !topology.drained(each.link()))).sorted().toList();
        List<Endpoint> hosts = edges.stream().flatMap(edge -> topology.edges().get(edge).stream())
            .sorted(Comparator.comparing(Endpoint::address)).toList();
        List<Pair> pairs = new ArrayList<>();
        for (int shift = 0; shift < hosts.size(); shift += AT_ONCE) {
            for (int edge = 0; edge < edges.size(); edge++) {
                for (int host = shift; host < Math.min(shift + AT_ONCE, hosts.size()); host++) {
                    // one after the other to other hosts, so that no daqring gets a burst
                    Pair pair = new Pair(edges.get(edge), hosts.get((edge * AT_ONCE + host) % hosts.size()));
                    if (!pair.to.edge().equals(pair.from) && pair.sendersExist(topology)) {
                        pairs.add(pair);
                    }
                }
            }
        }
        return pairs;
    }

    private boolean sendersExist(Topology topology) {
        return topology.edges().get(from).stream().anyMatch(each -> each.isDcm() != to.isDcm());
    }

    private SortedSet<String> senders(Topology topology) {
        return topology.edges().get(from).stream().filter(each -> each.isDcm() != to.isDcm()).map(Endpoint::name)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Names of the ROS that it concerns. */
    SortedSet<String> ros(Topology topology) {
        return to.isDcm() ? senders(topology) : new TreeSet<>(List.of(to.name()));
    }

    /** Names of the DCMs that it concerns. */
    SortedSet<String> dcms(Topology topology) {
        return to.isDcm() ? new TreeSet<>(List.of(to.name())) : senders(topology);
    }
}
