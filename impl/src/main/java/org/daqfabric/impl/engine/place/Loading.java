package org.daqfabric.impl.engine.place;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * The sinks' ways and the loads that come of them. A link's load is the sum of sink weight times source weight over
 * the pairs that use it; divided by the capacity it is relative: the inverse of the event rate the link carries.
 */
final class Loading {
    static final int KINDS = 4;

    final Problem problem;
    final Stage[][] ways;
    /** [plane][spine], sinks whose first stage it is. */
    private final int[][] users;
    private final double[] load;
    private final int[] kind;
    private final int[] link;
    private final double[] amount;
    private int traced;
    private final double[] fromPod;
    private final double[] sourceAndSink = new double[2];
    private final double[] probed = new double[KINDS];
    private double fromOthers;
    private long falls;
    private int aimedPod;
    private int aimedSink;
    private Stage[] aimedWay;

    Loading(Problem problem) {
        this.problem = problem;
        ways = new Stage[problem.sinks.size()][];
        Arrays.fill(ways, Stage.NOWHERE);
        load = new double[problem.links()];
        kind = new int[KINDS * problem.groups];
        link = new int[kind.length];
        amount = new double[kind.length];
        fromPod = new double[problem.fabric.pods()];
        users = new int[problem.fabric.planes()][];
        for (int plane = 0; plane < users.length; plane++) {
            users[plane] = new int[problem.fabric.spines(plane)];
        }
    }

    void put(int sink, Stage[] way) {
        ways[sink] = way;
        change(sink, way, 0, 1);
        count(way, 1);
    }

    Stage[] take(int sink) {
        Stage[] way = ways[sink];
        ways[sink] = Stage.NOWHERE;
        if (way.length > 0) {
            change(sink, way, 0, -1);
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
    int users(Stage stage) {
        return stage.spine() < 0 ? 0 : users[stage.plane()][stage.spine()];
    }

    private void count(Stage[] way, int by) {
        if (way.length > 0 && way[0].spine() >= 0) {
            users[way[0].plane()][way[0].spine()] += by;
        }
    }

    /**
     * The relative loads an address would meet on its stages from one on, highest first: of the link to the sink's
     * edge switch, and the fullest each of the links from a spine, to a spine and from a source.
     */
    double[] probe(int sink, Stage[] way, int from) {
        double[] result = new double[KINDS];
        change(sink, way, from, 1);
        for (int i = 0; i < traced; i++) {
            result[kind[i]] = Math.max(result[kind[i]], relative(link[i]));
        }
        for (int i = 0; i < traced; i++) {
            load[link[i]] -= amount[i];
        }
        Relative.sort(result);
        return result;
    }

    /**
     * Aims {@link #probe(Stage)} at a plane: sums up what the plane would carry for a sink that is served as far as a
     * way goes.
     */
    void aim(int sink, Stage[] way, int plane) {
        aimedPod = problem.pod[sink];
        aimedWay = way;
        aimedSink = sink;
        double weight = problem.weight[sink];
        double total = 0;
        double source = 0;
        Arrays.fill(fromPod, 0);
        for (int group = 0; group < problem.groups; group++) {
            if (problem.serves(plane, group, aimedPod) && problem.stageOf(group, aimedPod, way) < 0) {
                double product = weight * problem.groupWeight[group];
                fromPod[problem.groupPod[group]] += product;
                total += product;
                int uplink = problem.sourceLink(plane, group);
                source = Math.max(source, (load[uplink] + weight) * problem.inverse[uplink]);
            }
        }
        int last = problem.sinkLink(plane, problem.edge[sink]);
        sourceAndSink[0] = source;
        sourceAndSink[1] = (load[last] + total) * problem.inverse[last];
        fromOthers = total - fromPod[aimedPod];
    }

    /**
     * The same as {@link #probe(int, Stage[], int)} for a stage in the plane aimed at, after the way aimed with.
     *
     * @return valid until the next call
     */
    double[] probe(Stage stage) {
        if (!problem.full(stage, aimedPod)) {
            return probe(aimedSink, Waterfill.with(aimedWay, stage), aimedWay.length);
        }
        probed[0] = sourceAndSink[0];
        probed[1] = sourceAndSink[1];
        probed[2] = up(stage);
        probed[3] = down(stage);
        Relative.sort(probed);
        return probed;
    }

    /** What the sink aimed with would meet on the link from the spine of a stage in the plane aimed at. */
    double down(Stage stage) {
        if (fromOthers <= 0) {
            return 0;
        }
        int link = problem.downLink(stage.plane(), stage.spine(), aimedPod);
        return (load[link] + fromOthers) * problem.inverse[link];
    }

    /** The same on the fullest of the links to it. */
    double up(Stage stage) {
        double up = 0;
        for (int pod = 0; fromOthers > 0 && pod < fromPod.length; pod++) {
            if (pod != aimedPod && fromPod[pod] > 0) {
                int link = problem.upLink(stage.plane(), stage.spine(), pod);
                up = Math.max(up, (load[link] + fromPod[pod]) * problem.inverse[link]);
            }
        }
        return up;
    }

    private void change(int sink, Stage[] way, int from, double sign) {
        trace(sink, way, from);
        for (int i = 0; i < traced; i++) {
            load[link[i]] += sign * amount[i];
        }
    }

    /** Notes the links and loads of a sink's stages from one on; a link comes once per group that uses it. */
    private void trace(int sink, Stage[] way, int from) {
        int pod = problem.pod[sink];
        double weight = problem.weight[sink];
        traced = 0;
        for (int group = 0; group < problem.groups; group++) {
            int at = problem.stageOf(group, pod, way);
            if (at < from) {
                continue;
            }
            Stage stage = way[at];
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
    double unevenness(int sink, Stage[] way, double sign) {
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
            if (!Relative.below(relative(link[i]), limit)) {
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
            for (Stage stage : ways[sink]) {
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
            if (!Relative.below(relative(at), relative)) {
                return at;
            }
        }
        return -1;
    }
}
