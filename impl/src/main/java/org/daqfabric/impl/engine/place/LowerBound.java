package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A relative load that no placement goes below: what racks, pods and sources must carry over all their links together.
 * Where a pod's sinks are alike and each must go one way whole, the bound counts sinks and is mostly reached.
 */
final class LowerBound {
    private static final double EPSILON = 1e-9;

    private final PlacementModel problem;
    private final int[] planes;
    private final int[][] edgesOf;
    private final int[] sinksAt;
    private final double[] weightAt;
    /** Of each pod the weight of its first sink, 0 if it has none, and whether all of its sinks weigh that. */
    private final double[] firstWeight;
    private final boolean[] alike;
    private double highest;

    private LowerBound(PlacementModel problem) {
        this.problem = problem;
        planes = IntStream.range(0, problem.fabric.planes()).toArray();
        edgesOf = new int[problem.fabric.pods()][];
        for (int pod = 0; pod < edgesOf.length; pod++) {
            int of = pod;
            edgesOf[pod] = IntStream.range(0, problem.fabric.edges())
                .filter(edge -> problem.fabric.podOfEdge(edge) == of && served(edge, false) > 0).toArray();
        }
        sinksAt = new int[problem.fabric.edges()];
        weightAt = new double[problem.fabric.edges()];
        firstWeight = new double[edgesOf.length];
        alike = new boolean[edgesOf.length];
        Arrays.fill(alike, true);
        for (int sink = 0; sink < problem.weight.length; sink++) {
            int pod = problem.pod[sink];
            firstWeight[pod] = firstWeight[pod] == 0 ? problem.weight[sink] : firstWeight[pod];
            alike[pod] &= problem.weight[sink] == firstWeight[pod];
            sinksAt[problem.edge[sink]]++;
            weightAt[problem.edge[sink]] += problem.weight[sink];
        }
    }

    static double of(PlacementModel problem) {
        LowerBound bound = new LowerBound(problem);
        for (int pod = 0; pod < problem.fabric.pods(); pod++) {
            bound.divided(pod);
        }
        for (int pod = 0; pod < problem.fabric.pods(); pod++) {
            if (bound.isAlike(pod)) {
                bound.whole(pod);
            }
        }
        double[] weights = problem.weight;
        if (weights.length > 0 && DoubleStream.of(weights).allMatch(weight -> weight == weights[0])) {
            bound.sources();
            bound.leaves();
        }
        return bound.highest;
    }

    /** The bound for sinks that may be split. */
    private void divided(int pod) {
        double load = 0;
        for (int edge : edgesOf[pod]) {
            load += weightAt[edge] * served(edge, true);
            raise(weightAt[edge] * served(edge, false),
                IntStream.of(planes).map(plane -> problem.sinkLink(plane, edge)));
        }
        raise(load, IntStream.of(planes).boxed().flatMapToInt(plane -> IntStream.range(0,
            problem.fabric.spines(plane)).map(spine -> problem.downLink(plane, spine, pod))));
    }

    private void raise(double load, IntStream links) {
        double capacity = links.mapToDouble(link -> problem.inverse[link]).filter(inverse -> inverse > 0)
            .map(inverse -> 1 / inverse).sum();
        if (capacity > 0) {
            highest = Math.max(highest, load / capacity);
        }
    }

    /** Weight of the sources that reach an edge switch by some plane, of all or of those in other pods. */
    private double served(int edge, boolean others) {
        int pod = problem.fabric.podOfEdge(edge);
        return IntStream.range(0, problem.groups)
            .filter(group -> !(others && problem.groupPod[group] == pod) && IntStream.of(planes).anyMatch(
                plane -> problem.fabric.inPlane(plane, edge) && problem.serves(plane, group, pod)))
            .mapToDouble(group -> problem.groupWeight[group]).sum();
    }

    /** Whether a pod's sinks weigh the same, and every plane serves them from all sources: then each uses one plane. */
    private boolean isAlike(int pod) {
        return alike[pod] && IntStream.of(planes).allMatch(plane -> IntStream.range(0, problem.groups)
                .allMatch(group -> problem.serves(plane, group, pod)));
    }

    /** Whether every spine serves a pod from all sources or from none: then each sink uses one spine. */
    private boolean isWhole(int pod) {
        return IntStream.of(planes).allMatch(plane -> IntStream.range(0, problem.fabric.spines(plane))
            .mapToObj(spine -> new PlaneChoice(plane, spine))
            .allMatch(stage -> problem.full(stage, pod) || !problem.serves(stage, pod)));
    }

    /** How many sinks fit into each plane, by rack uplinks and by spines, limits how many fit altogether. */
    private void whole(int pod) {
        double weight = firstWeight[pod];
        double all = IntStream.range(0, problem.groups).mapToDouble(group -> problem.groupWeight[group]).sum();
        double others = isWhole(pod) ? all - sourceWeight(pod) : 0;
        List<Double> units = new ArrayList<>();
        for (int plane : planes) {
            for (int edge : edgesOf[pod]) {
                units.add(weight * all * problem.inverse[problem.sinkLink(plane, edge)]);
            }
            for (int spine = 0; spine < problem.fabric.spines(plane); spine++) {
                units.add(weight * others * problem.inverse[problem.downLink(plane, spine, pod)]);
            }
        }
        long count = IntStream.of(edgesOf[pod]).mapToLong(edge -> sinksAt[edge]).sum();
        raise(units, load -> {
            long room = 0;
            for (int plane : planes) {
                long racks = 0;
                for (int edge : edgesOf[pod]) {
                    racks += Math.min(sinksAt[edge],
                        fitting(load, weight * all * problem.inverse[problem.sinkLink(plane, edge)]));
                }
                long spines = others == 0 ? racks : 0;
                for (int spine = 0; spine < problem.fabric.spines(plane) && others > 0; spine++) {
                    spines +=
                        fitting(load, weight * others * problem.inverse[problem.downLink(plane, spine, pod)]);
                }
                room += Math.min(racks, spines);
            }
            return room >= count && IntStream.of(edgesOf[pod]).allMatch(edge -> sinksAt[edge] <= IntStream.of(planes)
                .mapToLong(plane -> fitting(load, weight * all * problem.inverse[problem.sinkLink(plane, edge)]))
                .sum());
        });
    }

    /** How many sinks fit on the uplinks of sources. */
    private void sources() {
        for (int group = 0; group < problem.groups; group++) {
            int of = group;
            long count = Stream.of(edgesOf).flatMapToInt(IntStream::of)
                .filter(edge -> IntStream.of(planes).anyMatch(plane -> problem.fabric.inPlane(plane, edge)
                    && problem.serves(plane, of, problem.fabric.podOfEdge(edge))))
                .mapToLong(edge -> sinksAt[edge]).sum();
            fit(count, IntStream.of(planes)
                .mapToObj(plane -> problem.weight[0] * problem.inverse[problem.sourceLink(plane, of)]).toList());
        }
    }

    /** How many sinks of other pods fit on the uplinks of a leaf, if each uses one. */
    private void leaves() {
        if (!IntStream.range(0, edgesOf.length).allMatch(pod -> isAlike(pod) && isWhole(pod))) {
            return;
        }
        for (int pod = 0; pod < problem.fabric.pods(); pod++) {
            int of = pod;
            double load = problem.weight[0] * sourceWeight(pod);
            long count = IntStream.range(0, edgesOf.length).filter(other -> other != of)
                .flatMap(other -> IntStream.of(edgesOf[other])).mapToLong(edge -> sinksAt[edge]).sum();
            fit(count, IntStream.of(planes).boxed().flatMap(plane -> IntStream.range(0, problem.fabric.spines(plane))
                .mapToObj(spine -> load * problem.inverse[problem.upLink(plane, spine, of)])).toList());
        }
    }

    private void fit(long count, List<Double> units) {
        if (units.stream().anyMatch(unit -> unit > 0)) {
            raise(units, load -> units.stream().mapToLong(unit -> fitting(load, unit)).sum() >= count);
        }
    }

    private double sourceWeight(int pod) {
        return IntStream.range(0, problem.groups).filter(group -> problem.groupPod[group] == pod)
            .mapToDouble(group -> problem.groupWeight[group]).sum();
    }

    /** Number of sinks that load a link up to so much; none if it is not usable. */
    private static long fitting(double load, double unit) {
        return unit > 0 ? (long) (load / unit + EPSILON) : 0;
    }

    /** Raises the bound from one number of sinks on some link to the next until enough fit. */
    private void raise(List<Double> units, DoublePredicate fits) {
        while (!fits.test(highest)) {
            double next = Double.POSITIVE_INFINITY;
            for (double unit : units) {
                next = unit > 0 ? Math.min(next, (fitting(highest, unit) + 1) * unit) : next;
            }
            if (next == Double.POSITIVE_INFINITY) {
                return;
            }
            highest = next;
        }
    }
}
