package org.daqfabric.impl.engine.place;

import com.google.common.primitives.Booleans;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * What is to be placed and on which links, as arrays: addresses of one kind (DCMs or ROS), and the edge switches that
 * send to them, the sources. Every source sends to every address the product of their weights.
 *
 * <p>Sources alike in pod and planes form a group, so that loads are summed per group and not per pair. A node that
 * is a source and has addresses is a group of its own, because it sends itself nothing by a link. Links are
 * numbered from 0, each direction that carries traffic by itself; a bundle of parallel links counts as one link.
 *
 * <p>A spine is complete for a pod if it joins the pod to every source of other pods that the plane serves. One that
 * joins it only to some, after failures or in an irregular fabric, is partial.
 */
final class PlacementModel {
    final UsableFabric fabric;
    private final HostLoads reserved;
    /** Heaviest first, then by name. */
    final List<Endpoint> addresses;
    /** By address: its weight, edge switch and pod. */
    final double[] weightOf;
    final int[] edgeOf;
    final int[] podOf;

    /** Number of groups of sources; by group: pod, total weight, number of sources, and [group][plane]. */
    final int groups;
    final int[] podOfGroup;
    final double[] weightOfGroup;
    final int[] sizeOfGroup;
    final boolean[][] groupInPlane;
    /** By address: the group that is its own node, -1 if that is no source. */
    final int[] ownGroup;

    /** By link: 1/capacity in 1/Gbps, the factor from load to relative load; 0 if unusable. */
    final double[] inverseCapacity;
    private final int[] firstSpineLink;
    private final int firstSourceUplink;

    /** [plane][to pod] and [plane][to pod][spine], number of sources of other pods that plane or spine serves. */
    private final int[][] sourcesOfPlane;
    private final int[][][] sourcesOfSpine;
    /** [plane][to pod], whether the plane serves every group that any plane serves. */
    private final boolean[][] servesAll;
    /** [plane][to pod], what the plane brings to addresses of the pod. */
    private final PlaneSupply[][] supplies;

    /**
     * Makes a model.
     *
     * @param addresses in the order of {@link Endpoint#HEAVIEST_FIRST}
     * @param sources weights by the name of the edge switch
     * @param reserved what flows of other hosts take of links
     */
    private PlacementModel(UsableFabric fabric, List<Endpoint> addresses, Map<String, Double> sources,
            HostLoads reserved) {
        this.fabric = fabric;
        this.reserved = reserved;
        this.addresses = addresses;
        weightOf = addresses.stream().mapToDouble(Endpoint::weight).toArray();
        edgeOf = edges(fabric, addresses);
        podOf = Arrays.stream(edgeOf).map(fabric::podOfEdge).toArray();

        List<List<Integer>> members = grouped(sources);
        groups = members.size();
        podOfGroup = members.stream().mapToInt(group -> fabric.podOfEdge(group.get(0))).toArray();
        sizeOfGroup = members.stream().mapToInt(List::size).toArray();
        groupInPlane = members.stream().map(group -> planesOf(group.get(0))).toArray(boolean[][]::new);
        weightOfGroup = members.stream().mapToDouble(
            group -> group.stream().mapToDouble(source -> sources.get(fabric.edgeName(source))).sum()).toArray();
        int[] groupOf = new int[fabric.edges()];
        Arrays.fill(groupOf, -1);
        for (int group = 0; group < groups; group++) {
            for (int source : members.get(group)) {
                groupOf[source] = group;
            }
        }
        ownGroup = Arrays.stream(edgeOf).map(edge -> groupOf[edge]).toArray();

        firstSpineLink = new int[fabric.planes()];
        int links = fabric.planes() * fabric.edges();
        for (int plane = 0; plane < fabric.planes(); plane++) {
            firstSpineLink[plane] = links;
            links += 2 * fabric.spines(plane) * fabric.pods();
        }
        firstSourceUplink = links;
        inverseCapacity = new double[links + fabric.planes() * groups];
        sourcesOfPlane = new int[fabric.planes()][fabric.pods()];
        sourcesOfSpine = new int[fabric.planes()][fabric.pods()][];
        servesAll = new boolean[fabric.planes()][fabric.pods()];
        supplies = new PlaneSupply[fabric.planes()][fabric.pods()];
        for (int plane = 0; plane < fabric.planes(); plane++) {
            addLinks(plane, members, sources);
            for (int to = 0; to < fabric.pods(); to++) {
                servesAll[plane][to] = servesAsMuchAsAny(plane, to);
                supplies[plane][to] = PlaneSupply.of(this, plane, to, group -> true);
            }
        }
    }

    private boolean servesAsMuchAsAny(int plane, int toPod) {
        for (int group = 0; group < groups; group++) {
            for (int other = 0; other < fabric.planes(); other++) {
                if (serves(other, group, toPod) && !serves(plane, group, toPod)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The event traffic of a fabric without flows of other hosts. */
    static PlacementModel events(Topology topology, UsableFabric fabric) {
        return events(topology, fabric, new HostLoads(fabric));
    }

    /**
     * The event traffic: DCMs receive from every ROS.
     *
     * @param reserved what flows of other hosts take of links
     */
    static PlacementModel events(Topology topology, UsableFabric fabric, HostLoads reserved) {
        Map<String, Double> sources = new LinkedHashMap<>();
        for (Endpoint endpoint : topology.endpoints().values()) {
            if (!endpoint.isDcm()) {
                sources.merge(endpoint.edge(), endpoint.weight(), Double::sum);
            }
        }
        return new PlacementModel(fabric, topology.dcms(), sources, reserved);
    }

    /** The requests: every ROS receives alike from every HLT rack, in proportion to the rack's DCMs. */
    static PlacementModel requests(Topology topology, UsableFabric fabric) {
        Map<String, Double> sources = new LinkedHashMap<>();
        List<Endpoint> addresses = new ArrayList<>();
        for (Endpoint endpoint : topology.endpoints().values()) {
            if (endpoint.isDcm()) {
                sources.merge(endpoint.edge(), 1.0, Double::sum);
            } else {
                addresses.add(new Endpoint(endpoint.address(), endpoint.name(), endpoint.kind(), 1, endpoint.pod(),
                    endpoint.edge(), endpoint.port(), endpoint.mac()));
            }
        }
        addresses.sort(Endpoint.HEAVIEST_FIRST);
        return new PlacementModel(fabric, addresses, sources, new HostLoads(fabric));
    }

    /** Addresses of one edge switch mostly follow each other, so one look-up of its name serves many. */
    private static int[] edges(UsableFabric fabric, List<Endpoint> addresses) {
        int[] edges = new int[addresses.size()];
        String last = "";
        for (int address = 0; address < edges.length; address++) {
            String name = addresses.get(address).edge();
            edges[address] = name.equals(last) ? edges[address - 1] : fabric.edge(name);
            last = name;
        }
        return edges;
    }

    /** The sources as edge switches, group by group. */
    private List<List<Integer>> grouped(Map<String, Double> sources) {
        boolean[] receives = new boolean[fabric.edges()];
        for (int edge : edgeOf) {
            receives[edge] = true;
        }
        Map<List<Object>, List<Integer>> found = new LinkedHashMap<>();
        sources.keySet().stream().sorted(Comparator.comparingInt(fabric::edge)).forEach(name -> {
            int source = fabric.edge(name);
            found.computeIfAbsent(List.of(fabric.podOfEdge(source), Booleans.asList(planesOf(source)),
                receives[source] ? name : ""), key -> new ArrayList<>()).add(source);
        });
        return List.copyOf(found.values());
    }

    /** By plane: whether an edge switch is in it. */
    boolean[] planesOf(int edge) {
        boolean[] planes = new boolean[fabric.planes()];
        for (int plane = 0; plane < planes.length; plane++) {
            planes[plane] = fabric.inPlane(plane, edge);
        }
        return planes;
    }

    private void addLinks(int plane, List<List<Integer>> members, Map<String, Double> sources) {
        for (int edge = 0; edge < fabric.edges(); edge++) {
            inverseCapacity[edgeDownlink(plane, edge)] = reserved.inverseToEdge(plane, edge);
        }
        for (int pod = 0; pod < fabric.pods(); pod++) {
            for (int spine = 0; spine < fabric.spines(plane); spine++) {
                inverseCapacity[spineUplink(plane, spine, pod)] = reserved.inverseToSpine(plane, spine, pod);
                inverseCapacity[spineDownlink(plane, spine, pod)] = reserved.inverseFromSpine(plane, spine, pod);
            }
            countSources(plane, pod);
        }
        for (int group = 0; group < groups; group++) {
            for (int source : members.get(group)) {
                int link = sourceUplink(plane, group);
                inverseCapacity[link] = Math.max(inverseCapacity[link],
                    sources.get(fabric.edgeName(source)) * reserved.inverseFromEdge(plane, source));
            }
        }
    }

    int links() {
        return inverseCapacity.length;
    }

    /** The link from a leaf to an edge switch with addresses. */
    int edgeDownlink(int plane, int edge) {
        return plane * fabric.edges() + edge;
    }

    /** The first of the links of a spine: an uplink and a downlink for each pod, one pod after the other. */
    int spineLinks(int plane, int spine) {
        return firstSpineLink[plane] + 2 * spine * fabric.pods();
    }

    /** The link from the leaf of a pod to the spine with these {@link #spineLinks}. */
    static int uplink(int spineLinks, int fromPod) {
        return spineLinks + 2 * fromPod;
    }

    /** The link from the spine with these {@link #spineLinks} to the leaf of a pod. */
    static int downlink(int spineLinks, int toPod) {
        return spineLinks + 2 * toPod + 1;
    }

    int spineUplink(int plane, int spine, int fromPod) {
        return uplink(spineLinks(plane, spine), fromPod);
    }

    int spineDownlink(int plane, int spine, int toPod) {
        return downlink(spineLinks(plane, spine), toPod);
    }

    /**
     * The uplinks of a group's sources as one link. All carry traffic to the same addresses, so the one with the most
     * source weight per capacity stands for all. Its load is address weight; source weight is in the inverse capacity.
     */
    int sourceUplink(int plane, int group) {
        return firstSourceUplink + plane * groups + group;
    }

    /** Weight of the source that is on an address's own node and sends it nothing by a link; 0 if there is none. */
    double ownWeight(int address) {
        return ownGroup[address] < 0 ? 0 : weightOfGroup[ownGroup[address]];
    }

    /** The uplink of that source in a plane; -1 if there is none. */
    int ownUplink(int address, int plane) {
        return ownGroup[address] < 0 ? -1 : sourceUplink(plane, ownGroup[address]);
    }

    /** Whether a plane leads from a group of sources to those addresses of a pod that are in the plane. */
    boolean serves(int plane, int group, int toPod) {
        return groupInPlane[group][plane] && fabric.leads(plane, podOfGroup[group], toPod);
    }

    /** What a plane brings to a pod from all sources. */
    PlaneSupply supply(int plane, int toPod) {
        return supplies[plane][toPod];
    }

    /** Whether the first choice of a route is in a plane that serves whatever any plane serves. */
    private boolean servesAll(PlaneChoice[] route, int toPod) {
        return route.length > 0 && servesAll[route[0].plane()][toPod];
    }

    /** Whether a plane serves a group of sources that a route does not serve. */
    boolean servesMore(int plane, int toPod, PlaneChoice[] route) {
        if (servesAll(route, toPod)) {
            return false;
        }
        for (int group = 0; group < groups; group++) {
            if (serves(plane, group, toPod) && servingChoice(group, toPod, route) < 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether any plane of an edge switch serves a group of sources that a route to an address behind it does not; a
     * loop, as every address is asked about and seldom can one be served more.
     */
    boolean canServeMore(int edge, PlaneChoice[] route) {
        int pod = fabric.podOfEdge(edge);
        if (servesAll(route, pod)) {
            return false;
        }
        for (int plane = 0; plane < fabric.planes(); plane++) {
            if (fabric.inPlane(plane, edge) && servesMore(plane, pod, route)) {
                return true;
            }
        }
        return false;
    }

    /** Position in a route of the choice that serves a group, -1 if none does. */
    int servingChoice(int group, int toPod, PlaneChoice[] route) {
        for (int at = 0; at < route.length; at++) {
            if (serves(route[at].plane(), group, toPod)) {
                return at;
            }
        }
        return -1;
    }

    /** Whether a choice alone serves every source of other pods that its plane serves. */
    boolean isComplete(PlaneChoice choice, int toPod) {
        int served = choice.spine() < 0 ? 0 : sourcesOfSpine[choice.plane()][toPod][choice.spine()];
        return served == sourcesOfPlane[choice.plane()][toPod];
    }

    /** Whether the spine of a choice joins the pod to any source of another pod. */
    boolean servesOtherPods(PlaneChoice choice, int toPod) {
        return choice.spine() >= 0 && sourcesOfSpine[choice.plane()][toPod][choice.spine()] > 0;
    }

    private void countSources(int plane, int toPod) {
        sourcesOfSpine[plane][toPod] = new int[fabric.spines(plane)];
        for (int group = 0; group < groups; group++) {
            int from = podOfGroup[group];
            if (from != toPod && serves(plane, group, toPod)) {
                sourcesOfPlane[plane][toPod] += sizeOfGroup[group];
                for (int spine = 0; spine < fabric.spines(plane); spine++) {
                    sourcesOfSpine[plane][toPod][spine] +=
                        fabric.joins(plane, spine, from, toPod) ? sizeOfGroup[group] : 0;
                }
            }
        }
    }

    Address addressOf(int address) {
        return addresses.get(address).address();
    }
}
