package org.daqfabric.impl.engine.routing;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * The part of a fabric that may carry traffic, with planes, pods, spines and edge switches as indexes from 0 in the
 * order of their ids or names. It answers the two questions behind every path: is there a link, and which spine is
 * used.
 */
public final class UsableFabric {
    private final int[] planeIds;
    private final int[] podIds;
    private final int[][] spineIds;
    private final String[] edges;
    private final Map<String, Integer> edgeIndex = new HashMap<>();
    private final int[] podOfEdge;
    private final Role[] roleOfEdge;
    /** [plane][edge], the usable links between an edge switch and its leaf. */
    private final List<Segment>[][] edgeLinks;
    /** [plane][edge], whether there are any. */
    private final boolean[][] inPlane;
    /** [plane][spine][pod], the usable links between a leaf and a spine. */
    private final List<Segment>[][][] spineLinks;
    /** [plane][pod][spine], whether the leaf has a usable link to the spine. */
    private final boolean[][][] reaches;
    /** [plane][from pod][to pod], whether packets get from leaf to leaf. */
    private final boolean[][][] leads;

    @SuppressWarnings("unchecked") // an array of a generic type cannot be made otherwise
    public UsableFabric(Topology topology, UnusableLinks unusable) {
        planeIds = ids(topology.planes());
        podIds = ids(topology.spec().pods().stream().map(pod -> pod.id()).toList());
        edges = topology.edges().keySet().toArray(String[]::new);
        podOfEdge = new int[edges.length];
        roleOfEdge = new Role[edges.length];
        spineIds = new int[planeIds.length][];
        edgeLinks = (List<Segment>[][]) new List<?>[planeIds.length][edges.length];
        inPlane = new boolean[planeIds.length][edges.length];
        spineLinks = (List<Segment>[][][]) new List<?>[planeIds.length][][];
        reaches = new boolean[planeIds.length][podIds.length][];
        leads = new boolean[planeIds.length][podIds.length][podIds.length];
        for (int edge = 0; edge < edges.length; edge++) {
            edgeIndex.put(edges[edge], edge);
            roleOfEdge[edge] = topology.roles().get(edges[edge]);
            podOfEdge[edge] = Arrays.binarySearch(podIds, topology.podOf(edges[edge]));
        }
        for (int plane = 0; plane < planeIds.length; plane++) {
            fill(topology, unusable, plane);
        }
    }

    @SuppressWarnings("unchecked") // an array of a generic type cannot be made otherwise
    private void fill(Topology topology, UnusableLinks unusable, int plane) {
        Map<Integer, String> spines = topology.spines(planeIds[plane]);
        String[] spineNames = spines.values().toArray(String[]::new);
        spineIds[plane] = ids(List.copyOf(topology.spines(planeIds[plane]).keySet()));
        spineLinks[plane] = (List<Segment>[][]) new List<?>[spineNames.length][podIds.length];
        for (int pod = 0; pod < podIds.length; pod++) {
            String leaf = topology.leaf(planeIds[plane], podIds[pod]);
            reaches[plane][pod] = new boolean[spineNames.length];
            for (int spine = 0; spine < spineNames.length; spine++) {
                List<Segment> links = topology.usable(leaf, spineNames[spine], unusable);
                spineLinks[plane][spine][pod] = links;
                reaches[plane][pod][spine] = !links.isEmpty();
            }
        }
        for (int from = 0; from < podIds.length; from++) {
            for (int to = 0; to < podIds.length; to++) {
                leads[plane][from][to] = from == to || spine(plane, from, to, -1, -1) >= 0;
            }
        }
        for (int edge = 0; edge < edges.length; edge++) {
            String leaf = topology.leaf(planeIds[plane], podIds[podOfEdge[edge]]);
            edgeLinks[plane][edge] = topology.usable(edges[edge], leaf, unusable);
            inPlane[plane][edge] = !edgeLinks[plane][edge].isEmpty();
        }
    }

    private static int[] ids(List<Integer> ids) {
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }

    public int planes() {
        return planeIds.length;
    }

    public int pods() {
        return podIds.length;
    }

    public int edges() {
        return edges.length;
    }

    /** Number of spines of a plane. */
    public int spines(int plane) {
        return spineIds[plane].length;
    }

    public int planeId(int plane) {
        return planeIds[plane];
    }

    public int podId(int pod) {
        return podIds[pod];
    }

    public int spineId(int plane, int spine) {
        return spineIds[plane][spine];
    }

    public String edgeName(int edge) {
        return edges[edge];
    }

    /** Index of a plane, negative if there is no such plane. */
    public int plane(int id) {
        return Arrays.binarySearch(planeIds, id);
    }

    /** Index of a pod, negative if there is no such pod. */
    public int pod(int id) {
        return Arrays.binarySearch(podIds, id);
    }

    /** Index of a spine, negative if the plane has no such spine. */
    public int spine(int plane, int id) {
        return Arrays.binarySearch(spineIds[plane], id);
    }

    /** Index of an edge switch. */
    public int edge(String name) {
        return edgeIndex.get(name);
    }

    public int podOfEdge(int edge) {
        return podOfEdge[edge];
    }

    /** The usable parallel links between an edge switch and its leaf; empty if none. */
    public List<Segment> edgeLinks(int plane, int edge) {
        return edgeLinks[plane][edge];
    }

    /** The usable parallel links between a leaf and a spine; empty if none. */
    public List<Segment> spineLinks(int plane, int spine, int pod) {
        return spineLinks[plane][spine][pod];
    }

    /** Whether an edge switch has a usable link into a plane. */
    public boolean inPlane(int plane, int edge) {
        return inPlane[plane][edge];
    }

    /** Whether a spine joins two different pods of its plane; false for the index of no spine. */
    public boolean joins(int plane, int spine, int pod, int otherPod) {
        return spine >= 0 && reaches[plane][pod][spine] && reaches[plane][otherPod][spine];
    }

    /** Whether a plane leads from one pod's leaf to another's: the same leaf, or some spine between. */
    public boolean leads(int plane, int fromPod, int toPod) {
        return leads[plane][fromPod][toPod];
    }

    /** Whether packets get from one edge switch to another, and back, through a plane. */
    public boolean connects(int plane, int edge, int otherEdge) {
        return inPlane(plane, edge) && inPlane(plane, otherEdge) && leads[plane][podOfEdge[edge]][podOfEdge[otherEdge]];
    }

    /** Whether some plane connects two edge switches. */
    public boolean connected(int edge, int otherEdge) {
        for (int plane = 0; plane < planeIds.length; plane++) {
            if (connects(plane, edge, otherEdge)) {
                return true;
            }
        }
        return false;
    }

    /** Number of pairs of a ROS and an HLT rack, not of one node, that some plane connects. */
    public int connectedPairs() {
        int pairs = 0;
        for (int one = 0; one < edges.length; one++) {
            for (int other = 0; other < one; other++) {
                int possible = (sends(one, other) ? 1 : 0) + (sends(other, one) ? 1 : 0);
                pairs += possible > 0 && connected(one, other) ? possible : 0;
            }
        }
        return pairs;
    }

    private boolean sends(int edge, int otherEdge) {
        return roleOfEdge[edge].sendsFragments() && roleOfEdge[otherEdge].buildsEvents();
    }

    /**
     * The spine used between two different pods.
     *
     * @param preferred the spine chosen for the address, negative for none
     * @param backup the one after it, negative for none
     * @return the first usable one of preferred, backup, and the others cyclically after preferred; -1 if none is
     */
    public int spine(int plane, int fromPod, int toPod, int preferred, int backup) {
        if (joins(plane, preferred, fromPod, toPod)) {
            return preferred;
        }
        if (joins(plane, backup, fromPod, toPod)) {
            return backup;
        }
        int count = spineIds[plane].length;
        int first = Math.max(preferred, -1) + 1;
        for (int step = 0; step < count; step++) {
            int spine = (first + step) % count;
            if (joins(plane, spine, fromPod, toPod)) {
                return spine;
            }
        }
        return -1;
    }
}
