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
    private double highest;

    private Bound(Problem problem) {
        this.problem = problem;
        whole = isWhole();
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
        double[] weight = new double[problem.fabric.edges()];
        for (int sink = 0; sink < problem.weight.length; sink++) {
            weight[problem.edge[sink]] += problem.weight[sink];
        }
        for (int edge = 0; edge < weight.length; edge++) {
            List<Double> inverses = new ArrayList<>();
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                inverses.add(problem.inverse[problem.sinkLink(plane, edge)]);
            }
            raise(weight[edge], served(problem.fabric.podOfEdge(edge), false), inverses);
        }
    }

    private void pods() {
        double[] weight = new double[problem.fabric.pods()];
        double total = 0;
        for (int sink = 0; sink < problem.weight.length; sink++) {
            weight[problem.pod[sink]] += problem.weight[sink];
            total += problem.weight[sink];
        }
        for (int pod = 0; pod < weight.length; pod++) {
            List<Double> inverses = new ArrayList<>();
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                for (int spine = 0; spine < problem.fabric.spines(plane); spine++) {
                    inverses.add(problem.inverse[problem.downLink(plane, spine, pod)]);
                }
            }
            raise(weight[pod], served(pod, true), inverses);
            if (whole) {
                raise(total - weight[pod], ofPod(pod), inverses);
            }
        }
    }

    private void sources() {
        double total = 0;
        for (double weight : problem.weight) {
            total += weight;
        }
        for (int group = 0; whole && group < problem.groups; group++) {
            List<Double> inverses = new ArrayList<>();
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                inverses.add(problem.inverse[problem.sourceLink(plane, group)]);
            }
            raise(total, 1, inverses);
        }
    }

    /** Weight of the sources that reach a pod by some plane, of all or of those in other pods. */
    private double served(int pod, boolean others) {
        double sum = 0;
        for (int group = 0; group < problem.groups; group++) {
            for (int plane = 0; plane < problem.fabric.planes(); plane++) {
                if (problem.serves(plane, group, pod) && !(others && problem.groupPod[group] == pod)) {
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

    /** Takes into account sinks of a total weight, each times a factor, that must pass these links. */
    private void raise(double weight, double factor, List<Double> inverses) {
        inverses.removeIf(inverse -> inverse == 0);
        double load = weight * factor;
        if (load == 0 || inverses.isEmpty()) {
            return;
        }
        double bound = load / inverses.stream().mapToDouble(inverse -> 1 / inverse).sum();
        if (whole) {
            bound = Math.max(bound, wholeSinks(weight, factor, inverses));
        }
        highest = Math.max(highest, bound);
    }

    /** The least highest load of whole sinks: how many fit under a load grows only where some link's share is whole. */
    private double wholeSinks(double weight, double factor, List<Double> inverses) {
        double unit = problem.weight[0];
        long count = Math.round(weight / unit);
        if (inverses.stream().distinct().count() > 1) {
            return 0;
        }
        long most = (count + inverses.size() - 1) / inverses.size();
        return most * unit * factor * inverses.get(0);
    }
}
