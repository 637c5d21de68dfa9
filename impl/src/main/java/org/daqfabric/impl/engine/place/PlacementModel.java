package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * What is to be placed, in arrays: sinks (addresses of one kind) and groups of sources that are alike in pod and
 * planes, so that loads are summed per group and not per pair. Links are numbered; of parallel links the bundle is
 * one. Every sink receives from every source its weight times the source's.
 */
final class PlacementModel {
    final UsableFabric fabric;
    /** Heaviest first, then by name. */
    final List<Endpoint> sinks;
    final double[] weight;
    final int[] edge;
    final int[] pod;

    /** Number of groups, and of each its pod, total weight, number of sources and planes. */
    final int groups;
    final int[] groupPod;
    final double[] groupWeight;
    final int[] groupSize;
    final boolean[][] groupIn;

    /** Per link the reciprocal of its capacity, in the unit that its load has times 1/Gbps; 0 for unusable links. */
    final double[] inverse;
    private final int[] firstSpineLink;
    private final int firstSourceLink;

    /** [plane][to pod], number of sources of other pods that the plane serves, and of these [spine] each spine. */
    private final int[][] reachable;
    private final int[][][] reached;
    /** [plane][to pod], whether it serves every group that any plane serves. */
    private final boolean[][] servesAll;
    /** [plane][to pod] */
    private final PlaneSupply[][] supplies;

    /** Of sinks in the order of {@link Endpoint#HEAVIEST_FIRST}. */
    private PlacementModel(UsableFabric fabric, List<Endpoint> sinks, Map<String, Double> sources) {
        this.fabric = fabric;
        this.sinks = sinks;
        weight = this.sinks.stream().mapToDouble(Endpoint::weight).toArray();
        edge = edges(fabric, sinks);
        pod = Arrays.stream(edge).map(fabric::podOfEdge).toArray();

        List<List<Integer>> members = grouped(sources);
        groups = members.size();
        groupPod = members.stream().mapToInt(group -> fabric.podOfEdge(group.get(0))).toArray();
        groupSize = members.stream().mapToInt(List::size).toArray();
        groupIn = members.stream().map(group -> planesOf(group.get(0))).toArray(boolean[][]::new);
        groupWeight = members.stream().mapToDouble(
            group -> group.stream().mapToDouble(source -> sources.get(fabric.edgeName(source))).sum()).toArray();

        firstSpineLink = new int[fabric.planes()];
        int links = fabric.planes() * fabric.edges();
        for (int plane = 0; plane < fabric.planes(); plane++) {
            firstSpineLink[plane] = links;
            links += 2 * fabric.spines(plane) * fabric.pods();
        }
        firstSourceLink = links;
        inverse = new double[links + fabric.planes() * groups];
        reachable = new int[fabric.planes()][fabric.pods()];
        reached = new int[fabric.planes()][fabric.pods()][];
        servesAll = new boolean[fabric.planes()][fabric.pods()];
        supplies = new PlaneSupply[fabric.planes()][fabric.pods()];
        for (int plane = 0; plane < fabric.planes(); plane++) {
            fill(plane, members, sources);
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

    /** The event traffic: DCMs receive from every ROS. */
    static PlacementModel events(Topology topology, UsableFabric fabric) {
        Map<String, Double> sources = new LinkedHashMap<>();
        for (Endpoint endpoint : topology.endpoints().values()) {
            if (!endpoint.isDcm()) {
                sources.merge(endpoint.edge(), endpoint.weight(), Double::sum);
            }
        }
        return new PlacementModel(fabric, topology.dcms(), sources);
    }

    /** The requests: every ROS receives alike from every HLT rack, in proportion to the rack's DCMs. */
    static PlacementModel requests(Topology topology, UsableFabric fabric) {
        Map<String, Double> sources = new LinkedHashMap<>();
        List<Endpoint> sinks = new ArrayList<>();
        for (Endpoint endpoint : topology.endpoints().values()) {
            if (endpoint.isDcm()) {
                sources.merge(endpoint.edge(), 1.0, Double::sum);
            } else {
                sinks.add(new Endpoint(endpoint.address(), endpoint.name(), endpoint.kind(), 1, endpoint.pod(),
                    endpoint.edge(), endpoint.port(), endpoint.mac()));
            }
        }
        sinks.sort(Endpoint.HEAVIEST_FIRST);
        return new PlacementModel(fabric, sinks, sources);
    }

    /** Those at one edge switch follow each other mostly, and are many. */
    private static int[] edges(UsableFabric fabric, List<Endpoint> sinks) {
        int[] edges = new int[sinks.size()];
        String last = "";
        for (int sink = 0; sink < edges.length; sink++) {
            String name = sinks.get(sink).edge();
            edges[sink] = name.equals(last) ? edges[sink - 1] : fabric.edge(name);
            last = name;
        }
        return edges;
    }

    private List<List<Integer>> grouped(Map<String, Double> sources) {
        Map<List<Object>, List<Integer>> groupsByKind = new LinkedHashMap<>();
        sources.keySet().stream().map(fabric::edge).sorted().forEach(source -> {
            BitSet planes = new BitSet();
            for (int plane = 0; plane < fabric.planes(); plane++) {
                planes.set(plane, fabric.inPlane(plane, source));
            }
            groupsByKind.computeIfAbsent(List.of(fabric.podOfEdge(source), planes), kind -> new ArrayList<>())
                .add(source);
        });
        return List.copyOf(groupsByKind.values());
    }

    private boolean[] planesOf(int source) {
        boolean[] planes = new boolean[fabric.planes()];
        for (int plane = 0; plane < planes.length; plane++) {
            planes[plane] = fabric.inPlane(plane, source);
        }
        return planes;
    }

    private void fill(int plane, List<List<Integer>> members, Map<String, Double> sources) {
        for (int at = 0; at < fabric.edges(); at++) {
            inverse[sinkLink(plane, at)] = inverse(fabric.edgeLinks(plane, at));
        }
        for (int from = 0; from < fabric.pods(); from++) {
            for (int spine = 0; spine < fabric.spines(plane); spine++) {
                double value = inverse(fabric.spineLinks(plane, spine, from));
                inverse[upLink(plane, spine, from)] = value;
                inverse[downLink(plane, spine, from)] = value;
            }
            countSources(plane, from);
        }
        for (int group = 0; group < groups; group++) {
            for (int source : members.get(group)) {
                int link = sourceLink(plane, group);
                inverse[link] = Math.max(inverse[link],
                    sources.get(fabric.edgeName(source)) * inverse[sinkLink(plane, source)]);
            }
        }
    }

    private static double inverse(List<Segment> links) {
        return links.isEmpty() ? 0 : 1 / links.stream().mapToDouble(Segment::capacity).sum();
    }

    int links() {
        return inverse.length;
    }

    /** From a leaf to the edge switch of sinks. */
    int sinkLink(int plane, int at) {
        return plane * fabric.edges() + at;
    }

    /** The first of the links of a spine: those to and from it, pod by pod. */
    int spineLinks(int plane, int spine) {
        return firstSpineLink[plane] + 2 * spine * fabric.pods();
    }

    /** From a leaf to a spine. */
    int upLink(int plane, int spine, int from) {
        return spineLinks(plane, spine) + 2 * from;
    }

    /** From a spine to a leaf. */
    int downLink(int plane, int spine, int to) {
        return upLink(plane, spine, to) + 1;
    }

    /** The fullest of the uplinks of a group's sources; its load is the weight of the sinks served over it. */
    int sourceLink(int plane, int group) {
        return firstSourceLink + plane * groups + group;
    }

    /** Whether a plane leads from a group to a sink that is in the plane. */
    boolean serves(int plane, int group, int toPod) {
        return groupIn[group][plane] && fabric.leads(plane, groupPod[group], toPod);
    }

    PlaneSupply supply(int plane, int toPod) {
        return supplies[plane][toPod];
    }

    /** Whether a way leaves nothing to serve: its first stage is in a plane that serves whatever any plane serves. */
    boolean servesAll(PlaneChoice[] way, int toPod) {
        return way.length > 0 && servesAll[way[0].plane()][toPod];
    }

    /** Position of the stage that serves a group, -1 if none does. */
    int stageOf(int group, int toPod, PlaneChoice[] way) {
        for (int at = 0; at < way.length; at++) {
            if (serves(way[at].plane(), group, toPod)) {
                return at;
            }
        }
        return -1;
    }

    /** Whether a stage serves every source of other pods that its plane serves. */
    boolean full(PlaneChoice stage, int toPod) {
        int served = stage.spine() < 0 ? 0 : reached[stage.plane()][toPod][stage.spine()];
        return served == reachable[stage.plane()][toPod];
    }

    /** Whether a stage serves any source of another pod over its spine. */
    boolean serves(PlaneChoice stage, int toPod) {
        return stage.spine() >= 0 && reached[stage.plane()][toPod][stage.spine()] > 0;
    }

    private void countSources(int plane, int toPod) {
        reached[plane][toPod] = new int[fabric.spines(plane)];
        for (int group = 0; group < groups; group++) {
            int from = groupPod[group];
            if (from != toPod && serves(plane, group, toPod)) {
                reachable[plane][toPod] += groupSize[group];
                for (int spine = 0; spine < fabric.spines(plane); spine++) {
                    reached[plane][toPod][spine] += fabric.joins(plane, spine, from, toPod) ? groupSize[group] : 0;
                }
            }
        }
    }

    Ipv4 address(int sink) {
        return sinks.get(sink).address();
    }
}
