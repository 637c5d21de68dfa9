package org.daqfabric.impl.engine.place;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * The sinks' ways and the loads that come of them. A link's load is the sum of sink weight times source weight over
 * the pairs that use it; divided by the capacity it is relative: the inverse of the event rate the link carries.
 */
final class PlacementState {
    static final int KINDS = 4;

    final PlacementModel problem;
    final PlaneChoice[][] ways;
    /** [plane][spine], sinks whose first stage it is. */
    private final int[][] users;
    private final double[] load;
    private final int[] kind;
    private final int[] link;
    private final double[] amount;
    private int traced;
    private final double[] sourceAndSink = new double[2];
    private final double[] probed = new double[KINDS];
    private PlaneSupply aimed;
    private long falls;
    private int aimedPod;
    private int aimedSink;
    private PlaneChoice[] aimedWay;

    PlacementState(PlacementModel problem) {
        this.problem = problem;
        ways = new PlaneChoice[problem.sinks.size()][];
        Arrays.fill(ways, PlaneChoice.NOWHERE);
        load = new double[problem.links()];
        kind = new int[KINDS * problem.groups];
        link = new int[kind.length];
        amount = new double[kind.length];
        users = new int[problem.fabric.planes()][];
        for (int plane = 0; plane < users.length; plane++) {
            users[plane] = new int[problem.fabric.spines(plane)];
        }
    }

    void put(int sink, PlaneChoice[] way) {
        ways[sink] = way;
        change(sink, way, 1);
        count(way, 1);
    }

    PlaneChoice[] take(int sink) {
        PlaneChoice[] way = ways[sink];
        ways[sink] = PlaneChoice.NOWHERE;
        if (way.length > 0) {
            change(sink, way, -1);
            count(way, -1);
            falls++;
        }
        return way;
    }

    /** Changes whenever some load has fallen, and not while loads only rise. */
    long falls() {
        return falls;
    }

    /** Number of sinks of which a stage is the first. */
    int users(PlaneChoice stage) {
        return stage.spine() < 0 ? 0 : users[stage.plane()][stage.spine()];
    }

    private void count(PlaneChoice[] way, int by) {
        if (way.length > 0 && way[0].spine() >= 0) {
            users[way[0].plane()][way[0].spine()] += by;
        }
    }

    /**
     * The relative loads an address would meet on its stages from one on, highest first: of the link to the sink's
     * edge switch, and the fullest each of the links from a spine, to a spine and from a source.
     */
    double[] probe(int sink, PlaneChoice[] way, int from) {
        double[] result = new double[KINDS];
        trace(sink, way, from);
        for (int i = 0; i < traced; i++) {
            load[link[i]] += amount[i];
        }
        for (int i = 0; i < traced; i++) {
            result[kind[i]] = Math.max(result[kind[i]], relative(link[i]));
        }
        for (int i = 0; i < traced; i++) {
            load[link[i]] -= amount[i];
        }
        RelativeLoad.sort(result);
        return result;
    }

    /**
     * Aims {@link #probe(PlaneChoice)} at a plane: sums up what the plane would carry for a sink that is served as far as a
     * way goes.
     */
    void aim(int sink, PlaneChoice[] way, int plane) {
        aimedPod = problem.pod[sink];
        aimedWay = way;
        aimedSink = sink;
        double weight = problem.weight[sink];
        aimed = way.length == 0 ? problem.supply(plane, aimedPod) : PlaneSupply.of(problem, plane, aimedPod,
            group -> problem.stageOf(group, aimedPod, way) < 0);
        double source = 0;
        for (int link : aimed.sourceLinks()) {
            source = Math.max(source, (load[link] + weight) * problem.inverse[link]);
        }
        int last = problem.sinkLink(plane, problem.edge[sink]);
        sourceAndSink[0] = source;
        sourceAndSink[1] = (load[last] + weight * aimed.total()) * problem.inverse[last];
    }

    /**
     * The same as {@link #probe(int, PlaneChoice[], int)} for a stage in the plane aimed at, after the way aimed with.
     *
     * @return valid until the next call
     */
    double[] probe(PlaneChoice stage) {
        if (!problem.full(stage, aimedPod)) {
            return probe(aimedSink, Waterfill.with(aimedWay, stage), aimedWay.length);
        }
        probed[0] = sourceAndSink[0];
        probed[1] = sourceAndSink[1];
        int links = problem.spineLinks(stage.plane(), stage.spine());
        probed[2] = up(links);
        probed[3] = down(links);
        RelativeLoad.sort(probed);
        return probed;
    }

    /**
     * What the sink aimed with would meet on the link from a spine in the plane aimed at.
     *
     * @param links {@link PlacementModel#spineLinks} of the spine; of no meaning where none is met
     */
    double down(int links) {
        if (aimed.pods().length == 0) {
            return 0;
        }
        int link = links + 2 * aimedPod + 1;
        return (load[link] + problem.weight[aimedSink] * aimed.others()) * problem.inverse[link];
    }

    /** The same on the fullest of the links to it. */
    double up(int links) {
        double up = 0;
        double weight = problem.weight[aimedSink];
        int[] pods = aimed.pods();
        for (int i = 0; i < pods.length; i++) {
            int link = links + 2 * pods[i];
            up = Math.max(up, (load[link] + weight * aimed.weights()[i]) * problem.inverse[link]);
        }
        return up;
    }

    private void change(int sink, PlaneChoice[] way, double sign) {
        if (way.length == 1 && problem.full(way[0], problem.pod[sink])) {
            change(sink, way[0], sign * problem.weight[sink]);
            return;
        }
        trace(sink, way, 0);
        for (int i = 0; i < traced; i++) {
            load[link[i]] += sign * amount[i];
        }
    }

    /** Most sinks are served by one stage. */
    private void change(int sink, PlaneChoice stage, double weight) {
        int plane = stage.plane();
        PlaneSupply supply = problem.supply(plane, problem.pod[sink]);
        load[problem.sinkLink(plane, problem.edge[sink])] += weight * supply.total();
        for (int source : supply.sourceLinks()) {
            load[source] += weight;
        }
        if (supply.pods().length > 0) {
            load[problem.downLink(plane, stage.spine(), problem.pod[sink])] += weight * supply.others();
            for (int i = 0; i < supply.pods().length; i++) {
                load[problem.upLink(plane, stage.spine(), supply.pods()[i])] += weight * supply.weights()[i];
            }
        }
    }

    /** Notes the links and loads of a sink's stages from one on; a link comes once per group that uses it. */
    private void trace(int sink, PlaneChoice[] way, int from) {
        int pod = problem.pod[sink];
        double weight = problem.weight[sink];
        traced = 0;
        for (int group = 0; group < problem.groups; group++) {
            int at = problem.stageOf(group, pod, way);
            if (at < from) {
                continue;
            }
            PlaneChoice stage = way[at];
            int plane = stage.plane();
            double product = weight * problem.groupWeight[group];
            note(0, problem.sinkLink(plane, problem.edge[sink]), product);
            note(3, problem.sourceLink(plane, group), weight);
            int source = problem.groupPod[group];
            if (source != pod) {
                int spine = problem.fabric.spine(plane, source, pod, stage.spine(), stage.backup());
                note(1, problem.downLink(plane, spine, pod), product);
                note(2, problem.upLink(plane, spine, source), product);
            }
        }
    }

    private void note(int ofKind, int at, double product) {
        kind[traced] = ofKind;
        link[traced] = at;
        amount[traced++] = product;
    }

    /** By how much the sum of the squares of all relative loads changes if a sink comes to a way, or leaves it. */
    double unevenness(int sink, PlaneChoice[] way, double sign) {
        trace(sink, way, 0);
        double change = 0;
        for (int i = 0; i < traced; i++) {
            double before = relative(link[i]);
            load[link[i]] += sign * amount[i];
            change += relative(link[i]) * relative(link[i]) - before * before;
        }
        for (int i = 0; i < traced; i++) {
            load[link[i]] -= sign * amount[i];
        }
        return change;
    }

    boolean uses(int sink, int wanted) {
        trace(sink, ways[sink], 0);
        for (int i = 0; i < traced; i++) {
            if (link[i] == wanted) {
                return true;
            }
        }
        return false;
    }

    /** The links of a sink's way that are at least as loaded as that, within rounding. */
    Set<Integer> overloaded(int sink, double limit) {
        trace(sink, ways[sink], 0);
        Set<Integer> result = new TreeSet<>();
        for (int i = 0; i < traced; i++) {
            if (!RelativeLoad.below(relative(link[i]), limit)) {
                result.add(link[i]);
            }
        }
        return result;
    }

    double relative(int at) {
        return load[at] * problem.inverse[at];
    }

    /** The highest relative load of all links. */
    double highest() {
        double result = 0;
        for (int at = 0; at < load.length; at++) {
            result = Math.max(result, relative(at));
        }
        return result;
    }

    /** Number of sinks with a stage whose spine does not serve every source of its plane. */
    int partial() {
        int count = 0;
        for (int sink = 0; sink < ways.length; sink++) {
            for (PlaneChoice stage : ways[sink]) {
                if (!problem.full(stage, problem.pod[sink])) {
                    count++;
                    break;
                }
            }
        }
        return count;
    }

    /** The first link at least as loaded as that, within rounding; -1 if none is. */
    int linkAt(double relative) {
        for (int at = 0; at < load.length; at++) {
            if (!RelativeLoad.below(relative(at), relative)) {
                return at;
            }
        }
        return -1;
    }
}
