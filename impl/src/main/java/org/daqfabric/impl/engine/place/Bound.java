package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.List;

/**
 * Relative loads that no placement can go below: what a rack, a pod or a source must carry over all its links
 * together. Where everything is alike it is known that sinks are not split, which makes the bound higher.
 */
final class Bound {
    private final Problem problem;
    private final boolean whole;
    /** Of the sinks behind each edge switch that is in some plane. */
    private final double[] weight;
    private double total;
    private double totalSource;
    private double highest;

    private Bound(Problem problem) {
        this.problem = problem;
        whole = problem.weight.length > 0 && isWhole();
        weight = new double[problem.fabric.edges()];
        for (int sink = 0; sink < problem.weight.length; sink++) {
            if (inAnyPlane(problem.edge[sink])) {
                weight[problem.edge[sink]] += problem.weight[sink];
                total += problem.weight[sink];
            }
        }
        for (double source : problem.groupWeight) {
            totalSource += source;
        }
    }

    private boolean inAnyPlane(int edge) {
        for (int plane = 0; plane < problem.fabric.planes(); plane++) {
            if (problem.fabric.inPlane(plane, edge)) {
                return true;
            }
        }
        return false;
    }

    static double of(Problem problem) {
        Bound bound = new Bound(problem);
        bound.edges();
        bound.pods();
        bound.sources();
        return bound.highest;
    }

    /** Whether every sink has the same weight and must be served over one plane and spine from everywhere. */
    private boolean isWhole() {
        for (double weight : problem.weight) {
            if (weight != problem.weight[0]) {
                return false;
            }
        }
        for (int pod = 0; pod < problem.fabric.pods(); pod++) {
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                for (int group = 0; group < problem.groups; group++) {
                    if (!problem.serves(plane, group, pod)) {
                        return false;
                    }
                }
                for (int spine = 0; spine < problem.fabric.spines(plane); spine++) {
                    if (problem.reached(plane, spine, pod) > 0 && !problem.full(new Stage(plane, spine), pod)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private void edges() {
        for (int edge = 0; edge < weight.length; edge++) {
            List<Double> inverses = new ArrayList<>();
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                inverses.add(problem.inverse[problem.sinkLink(plane, edge)]);
            }
            raise(weight[edge] * served(edge, false), inverses);
            raiseWhole(weight[edge], served(edge, false), inverses);
        }
    }

    private void pods() {
        for (int pod = 0; pod < problem.fabric.pods(); pod++) {
            List<Double> inverses = new ArrayList<>();
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                for (int spine = 0; spine < problem.fabric.spines(plane); spine++) {
                    inverses.add(problem.inverse[problem.downLink(plane, spine, pod)]);
                }
            }
            double inside = 0;
            double load = 0;
            for (int edge = 0; edge < weight.length; edge++) {
                if (problem.fabric.podOfEdge(edge) == pod) {
                    inside += weight[edge];
                    load += weight[edge] * served(edge, true);
                }
            }
            raise(load, inverses);
            raiseWhole(inside, totalSource - ofPod(pod), inverses);
            raiseWhole(total - inside, ofPod(pod), inverses);
        }
    }

    private void sources() {
        for (int group = 0; whole && group < problem.groups; group++) {
            List<Double> inverses = new ArrayList<>();
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                inverses.add(problem.inverse[problem.sourceLink(plane, group)]);
            }
            raiseWhole(total, 1, inverses);
        }
    }

    /** Weight of the sources that reach an edge switch by some plane, of all or of those in other pods. */
    private double served(int edge, boolean others) {
        double sum = 0;
        int pod = problem.fabric.podOfEdge(edge);
        for (int group = 0; group < problem.groups; group++) {
            if (others && problem.groupPod[group] == pod) {
                continue;
            }
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                if (problem.fabric.inPlane(plane, edge) && problem.serves(plane, group, pod)) {
                    sum += problem.groupWeight[group];
                    break;
                }
            }
        }
        return sum;
    }

    private double ofPod(int pod) {
        double sum = 0;
        for (int group = 0; group < problem.groups; group++) {
            sum += problem.groupPod[group] == pod ? problem.groupWeight[group] : 0;
        }
        return sum;
    }

    /** Takes into account a load that must pass these links. */
    private void raise(double load, List<Double> inverses) {
        double capacity = inverses.stream().filter(inverse -> inverse > 0).mapToDouble(inverse -> 1 / inverse).sum();
        if (capacity > 0) {
            highest = Math.max(highest, load / capacity);
        }
    }

    /** Takes into account sinks of a total weight that must each pass one of these links, with the sources' weight. */
    private void raiseWhole(double sinks, double sources, List<Double> inverses) {
        List<Double> usable = inverses.stream().filter(inverse -> inverse > 0).toList();
        if (!whole || usable.isEmpty()) {
            return;
        }
        raise(sinks * sources, usable);
        if (usable.stream().distinct().count() == 1) {
            double unit = problem.weight[0];
            long most = Math.ceilDiv(Math.round(sinks / unit), usable.size());
            highest = Math.max(highest, most * unit * sources * usable.get(0));
        }
    }
}
