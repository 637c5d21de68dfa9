package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A highest relative load that no placement is below: what the edge switches, pods and sources must carry, spread over
 * all their links. Where the addresses of a pod weigh the same and none can be split, the bound counts whole addresses
 * per link and is mostly reached.
 */
final class LowerBound {
    private final PlacementModel model;
    private final int[] planes;
    /** By pod: the edge switches that any source reaches. */
    private final int[][] edgesOf;
    /** By edge switch: number and weight of its addresses, and the group that is its own node, -1 if that is none. */
    private final int[] addressesAt;
    private final double[] weightAt;
    private final int[] ownGroupAt;
    /** By pod: the weight of its first address, 0 if it has none, and whether all its addresses weigh that. */
    private final double[] firstWeight;
    private final boolean[] sameWeight;
    private final double ofSplit;
    /** The bound so far. */
    private double highest;

    LowerBound(PlacementModel model) {
        this.model = model;
        planes = IntStream.range(0, model.fabric.planes()).toArray();
        edgesOf = new int[model.fabric.pods()][];
        ownGroupAt = new int[model.fabric.edges()];
        Arrays.fill(ownGroupAt, -1);
        for (int address = 0; address < model.edgeOf.length; address++) {
            ownGroupAt[model.edgeOf[address]] = model.ownGroup[address];
        }
        for (int pod = 0; pod < edgesOf.length; pod++) {
            int ofPod = pod;
            edgesOf[pod] = IntStream.range(0, model.fabric.edges())
                .filter(edge -> model.fabric.podOfEdge(edge) == ofPod && served(edge, false) > 0).toArray();
        }
        addressesAt = new int[model.fabric.edges()];
        weightAt = new double[model.fabric.edges()];
        firstWeight = new double[edgesOf.length];
        sameWeight = new boolean[edgesOf.length];
        Arrays.fill(sameWeight, true);
        for (int address = 0; address < model.weightOf.length; address++) {
            int pod = model.podOf[address];
            firstWeight[pod] = firstWeight[pod] == 0 ? model.weightOf[address] : firstWeight[pod];
            sameWeight[pod] &= model.weightOf[address] == firstWeight[pod];
            addressesAt[model.edgeOf[address]]++;
            weightAt[model.edgeOf[address]] += model.weightOf[address];
        }
        for (int pod = 0; pod < model.fabric.pods(); pod++) {
            boundSplit(pod);
        }
        boundSplitSources();
        ofSplit = highest;
    }

    /** The bound for addresses that may be split over planes and spines. */
    double ofSplit() {
        return ofSplit;
    }

    /** The bound for whole addresses; not below that for split ones. */
    double ofWhole() {
        double[] weights = model.weightOf;
        for (int pod = 0; pod < model.fabric.pods(); pod++) {
            if (usesOnePlaneEach(pod)) {
                boundWhole(pod);
            }
        }
        if (weights.length > 0 && DoubleStream.of(weights).allMatch(weight -> weight == weights[0])) {
            boundSourceUplinks();
            boundLeafUplinks();
        }
        return highest;
    }

    /** The bound for addresses that may be split over planes and spines. */
    private void boundSplit(int pod) {
        double load = 0;
        for (int edge : edgesOf[pod]) {
            load += weightAt[edge] * served(edge, true);
            raise(weightAt[edge] * served(edge, false),
                IntStream.of(planes).map(plane -> model.edgeDownlink(plane, edge)));
        }
        raise(load, IntStream.of(planes).boxed().flatMapToInt(plane -> IntStream.range(0,
            model.fabric.spines(plane)).map(spine -> model.spineDownlink(plane, spine, pod))));
    }

    /** Raises the bound to a load spread over links as a whole. */
    private void raise(double load, IntStream links) {
        double capacity = links.mapToDouble(link -> model.inverseCapacity[link]).filter(inverse -> inverse > 0)
            .map(inverse -> 1 / inverse).sum();
        if (capacity > 0) {
            highest = Math.max(highest, load / capacity);
        }
    }

    /** Weight of the sources that reach an edge switch by some plane: all of others, or only those in other pods. */
    private double served(int edge, boolean onlyOtherPods) {
        int pod = model.fabric.podOfEdge(edge);
        return IntStream.range(0, model.groups)
            .filter(group -> group != ownGroupAt[edge] && !(onlyOtherPods && model.podOfGroup[group] == pod)
                && IntStream.of(planes).anyMatch(plane -> model.fabric.inPlane(plane, edge)
                    && model.serves(plane, group, pod)))
            .mapToDouble(group -> model.weightOfGroup[group]).sum();
    }

    /** Whether the addresses of a pod weigh the same and each uses one plane, as every plane leads from all sources. */
    private boolean usesOnePlaneEach(int pod) {
        return sameWeight[pod] && IntStream.of(planes).allMatch(plane -> IntStream.range(0, model.groups)
                .allMatch(group -> model.serves(plane, group, pod)));
    }

    /** Whether each address of a pod uses one spine: every spine joins the pod to all sources or to none. */
    private boolean usesOneSpineEach(int pod) {
        return IntStream.of(planes).allMatch(plane -> IntStream.range(0, model.fabric.spines(plane))
            .mapToObj(spine -> new PlaneChoice(plane, spine))
            .allMatch(choice -> model.isComplete(choice, pod) || !model.servesOtherPods(choice, pod)));
    }

    /** The bound for whole addresses: no more fit into a plane than on its links to edge switches and from spines. */
    private void boundWhole(int pod) {
        double weight = firstWeight[pod];
        double all = IntStream.range(0, model.groups).mapToDouble(group -> model.weightOfGroup[group]).sum();
        double[] edgeUnits = IntStream.range(0, ownGroupAt.length).mapToDouble(edge -> weight
            * (ownGroupAt[edge] < 0 ? all : all - model.weightOfGroup[ownGroupAt[edge]])).toArray();
        double spineUnit = usesOneSpineEach(pod) ? weight * (all - sourceWeight(pod)) : 0;
        List<Double> units = new ArrayList<>();
        for (int plane : planes) {
            for (int edge : edgesOf[pod]) {
                units.add(edgeUnits[edge] * model.inverseCapacity[model.edgeDownlink(plane, edge)]);
            }
            for (int spine = 0; spine < model.fabric.spines(plane); spine++) {
                units.add(spineUnit * model.inverseCapacity[model.spineDownlink(plane, spine, pod)]);
            }
        }
        long count = IntStream.of(edgesOf[pod]).mapToLong(edge -> addressesAt[edge]).sum();
        raise(units, load -> {
            long room = 0;
            for (int plane : planes) {
                long racks = 0;
                for (int edge : edgesOf[pod]) {
                    racks += Math.min(addressesAt[edge],
                        fitting(load, edgeUnits[edge] * model.inverseCapacity[model.edgeDownlink(plane, edge)]));
                }
                long spines = spineUnit == 0 ? racks : 0;
                for (int spine = 0; spine < model.fabric.spines(plane) && spineUnit > 0; spine++) {
                    spines +=
                        fitting(load, spineUnit * model.inverseCapacity[model.spineDownlink(plane, spine, pod)]);
                }
                room += Math.min(racks, spines);
            }
            return room >= count && IntStream.of(edgesOf[pod]).allMatch(edge -> addressesAt[edge]
                <= IntStream.of(planes).mapToLong(plane -> fitting(load, edgeUnits[edge]
                    * model.inverseCapacity[model.edgeDownlink(plane, edge)])).sum());
        });
    }

    /** The bound by what sources must send, spread over their uplinks. */
    private void boundSplitSources() {
        for (int group = 0; group < model.groups; group++) {
            int ofGroup = group;
            raise(reachedBy(group).mapToDouble(edge -> weightAt[edge]).sum(),
                IntStream.of(planes).map(plane -> model.sourceUplink(plane, ofGroup)));
        }
    }

    /** The edge switches to which a group of sources sends by a link. */
    private IntStream reachedBy(int group) {
        return Stream.of(edgesOf).flatMapToInt(IntStream::of)
            .filter(edge -> ownGroupAt[edge] != group && IntStream.of(planes).anyMatch(plane ->
                model.fabric.inPlane(plane, edge) && model.serves(plane, group, model.fabric.podOfEdge(edge))));
    }

    /** The bound by how many whole addresses fit on the uplinks of sources. */
    private void boundSourceUplinks() {
        for (int group = 0; group < model.groups; group++) {
            int ofGroup = group;
            long count = reachedBy(group).mapToLong(edge -> addressesAt[edge]).sum();
            fit(count, IntStream.of(planes)
                .mapToObj(plane -> model.weightOf[0] * model.inverseCapacity[model.sourceUplink(plane, ofGroup)])
                .toList());
        }
    }

    /** The bound by how many whole addresses of other pods fit on the uplinks of the leaves of a pod. */
    private void boundLeafUplinks() {
        if (!IntStream.range(0, edgesOf.length).allMatch(pod -> usesOnePlaneEach(pod) && usesOneSpineEach(pod))) {
            return;
        }
        for (int pod = 0; pod < model.fabric.pods(); pod++) {
            int ofPod = pod;
            double load = model.weightOf[0] * sourceWeight(pod);
            long count = IntStream.range(0, edgesOf.length).filter(other -> other != ofPod)
                .flatMap(other -> IntStream.of(edgesOf[other])).mapToLong(edge -> addressesAt[edge]).sum();
            fit(count, IntStream.of(planes).boxed().flatMap(plane -> IntStream.range(0, model.fabric.spines(plane))
                .mapToObj(spine -> load * model.inverseCapacity[model.spineUplink(plane, spine, ofPod)])).toList());
        }
    }

    /** Raises the bound until a number of addresses fit on links to which each adds its unit. */
    private void fit(long count, List<Double> units) {
        if (units.stream().anyMatch(unit -> unit > 0)) {
            raise(units, load -> units.stream().mapToLong(unit -> fitting(load, unit)).sum() >= count);
        }
    }

    private double sourceWeight(int pod) {
        return IntStream.range(0, model.groups).filter(group -> model.podOfGroup[group] == pod)
            .mapToDouble(group -> model.weightOfGroup[group]).sum();
    }

    /** Number of addresses that a link carries at a relative load, if each adds a unit; none if it is not usable. */
    private static long fitting(double load, double unit) {
        return unit > 0 ? (long) (load / unit + RelativeLoad.EPSILON) : 0;
    }

    /** Raises the bound to the next load at which one more address fits on some link, until enough fit. */
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
