package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A highest relative load that no placement by pod is below. It adds to {@link LowerBound#ofSplit()} that flows are not
 * split: a link carries only a whole number of them. Of flows of different weight, those of at least some weight are
 * counted as if they had just that.
 */
final class PodBound {
    private final PodState state;
    private final PlacementModel model;
    /** The bound so far. */
    private double highest;

    private PodBound(PodState state, LowerBound lower) {
        this.state = state;
        model = state.model;
        highest = lower.ofSplit();
    }

    /**
     * Finds the bound.
     *
     * @param lower the bounds of the same model
     */
    static double of(PodState state, LowerBound lower) {
        PodBound bound = new PodBound(state, lower);
        bound.raise();
        return bound.highest;
    }

    private void raise() {
        List<Map<Double, Long>> atEdge = new ArrayList<>();
        List<Map<Double, Long>> toPod = new ArrayList<>();
        List<Map<Double, Long>> fromPod = new ArrayList<>();
        List<Map<Double, Long>> fromGroup = new ArrayList<>();
        IntStream.range(0, model.fabric.edges()).forEach(edge -> atEdge.add(new TreeMap<>()));
        IntStream.range(0, state.pods).forEach(pod -> {
            toPod.add(new TreeMap<>());
            fromPod.add(new TreeMap<>());
        });
        IntStream.range(0, model.groups).forEach(group -> fromGroup.add(new TreeMap<>()));
        addressesByEdge().forEach((edge, weights) -> {
            int first = weights.first();
            for (int pod = 0; pod < state.pods; pod++) {
                int flow = first * state.pods + pod;
                if (state.options(flow).length > 0 && state.servesAlike(flow)) {
                    add(atEdge.get(edge), weights.counts(), state.weightOf(flow));
                    if (pod != state.to(flow)) {
                        add(toPod.get(state.to(flow)), weights.counts(), state.weightOf(flow));
                        add(fromPod.get(pod), weights.counts(), state.weightOf(flow));
                    }
                }
            }
            for (int group = 0; group < model.groups; group++) {
                if (group != model.ownGroup[first] && reaches(group, edge)) {
                    add(fromGroup.get(group), weights.counts(), 1);
                }
            }
        });
        int[] all = IntStream.range(0, model.fabric.planes()).toArray();
        for (int edge = 0; edge < atEdge.size(); edge++) {
            int ofEdge = edge;
            fit(atEdge.get(edge), IntStream.of(all).map(plane -> model.edgeDownlink(plane, ofEdge)));
        }
        for (int pod = 0; pod < state.pods; pod++) {
            int ofPod = pod;
            fit(toPod.get(pod), IntStream.of(all).boxed().flatMapToInt(plane -> IntStream.range(0,
                model.fabric.spines(plane)).map(spine -> model.spineDownlink(plane, spine, ofPod))));
            fit(fromPod.get(pod), IntStream.of(all).boxed().flatMapToInt(plane -> IntStream.range(0,
                model.fabric.spines(plane)).map(spine -> model.spineUplink(plane, spine, ofPod))));
        }
        for (int group = 0; group < model.groups; group++) {
            int ofGroup = group;
            fit(fromGroup.get(group), IntStream.of(all).map(plane -> model.sourceUplink(plane, ofGroup)));
        }
    }

    /** The addresses at an edge switch: the first, and how many there are of each weight. */
    private record Weights(int first, Map<Double, Long> counts) {
    }

    private Map<Integer, Weights> addressesByEdge() {
        Map<Integer, Weights> byEdge = new TreeMap<>();
        for (int address = 0; address < model.edgeOf.length; address++) {
            int first = address;
            byEdge.computeIfAbsent(model.edgeOf[address], any -> new Weights(first, new TreeMap<>())).counts()
                .merge(model.weightOf[address], 1L, Long::sum);
        }
        return byEdge;
    }

    private boolean reaches(int group, int edge) {
        return IntStream.range(0, model.fabric.planes()).anyMatch(plane -> model.fabric.inPlane(plane, edge)
            && model.serves(plane, group, model.fabric.podOfEdge(edge)));
    }

    private static void add(Map<Double, Long> sum, Map<Double, Long> counts, double factor) {
        counts.forEach((weight, count) -> sum.merge(weight * factor, count, Long::sum));
    }

    /** Raises the bound until flows fit on links; by weight there are so many of them. */
    private void fit(Map<Double, Long> counts, IntStream links) {
        double[] inverse = links.mapToDouble(link -> model.inverseCapacity[link]).filter(each -> each > 0).toArray();
        if (inverse.length == 0) {
            return;
        }
        List<Double> weights = new ArrayList<>(counts.keySet());
        long heavier = 0;
        for (int at = weights.size() - 1; at >= 0; at--) {
            double weight = weights.get(at);
            heavier += counts.get(weight);
            while (weight > 0 && !fits(heavier, weight, inverse)) {
                double next = Double.POSITIVE_INFINITY;
                for (double each : inverse) {
                    next = Math.min(next, (fitting(weight * each) + 1) * weight * each);
                }
                highest = next;
            }
        }
    }

    private boolean fits(long count, double weight, double[] inverse) {
        long room = 0;
        for (double each : inverse) {
            room += fitting(weight * each);
        }
        return room >= count;
    }

    private long fitting(double unit) {
        return (long) (highest / unit + RelativeLoad.EPSILON);
    }
}
