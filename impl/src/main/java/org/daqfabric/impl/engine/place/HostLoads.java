package org.daqfabric.impl.engine.place;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Segment;

/** Gbps that flows of other hosts take of the links of a fabric; a bundle of parallel links counts as one link. */
final class HostLoads {
    /** The least part of a link that is left to events; without any, they could not be compared. */
    private static final double LEAST_LEFT = 1e-3;

    private final UsableFabric fabric;
    /** [plane][edge switch], up and down. */
    private final double[][] fromEdge;
    private final double[][] toEdge;
    /** [plane][spine][pod], from leaf to spine and back. */
    private final double[][][] toSpine;
    private final double[][][] fromSpine;

    /** Of a fabric without flows. */
    HostLoads(UsableFabric fabric) {
        this.fabric = fabric;
        fromEdge = new double[fabric.planes()][fabric.edges()];
        toEdge = new double[fabric.planes()][fabric.edges()];
        toSpine = new double[fabric.planes()][][];
        fromSpine = new double[fabric.planes()][][];
        for (int plane = 0; plane < fabric.planes(); plane++) {
            toSpine[plane] = new double[fabric.spines(plane)][fabric.pods()];
            fromSpine[plane] = new double[fabric.spines(plane)][fabric.pods()];
        }
    }

    /** Adds what one edge switch sends to another, by a spine if they are in different pods and it is not negative. */
    void add(int plane, int from, int spine, int to, double gbps) {
        fromEdge[plane][from] += gbps;
        toEdge[plane][to] += gbps;
        if (spine >= 0 && fabric.podOfEdge(from) != fabric.podOfEdge(to)) {
            toSpine[plane][spine][fabric.podOfEdge(from)] += gbps;
            fromSpine[plane][spine][fabric.podOfEdge(to)] += gbps;
        }
    }

    /**
     * The part of the fullest link on the ways from some edge switches to one that would be taken.
     *
     * @param senders Gbps more, by edge switch; all are in the plane, and joined by the spine if in another pod
     */
    double part(int plane, int spine, int to, Map<Integer, Double> senders) {
        double part = 0;
        double all = 0;
        Map<Integer, Double> pods = new TreeMap<>();
        for (Map.Entry<Integer, Double> sender : senders.entrySet()) {
            int from = sender.getKey();
            part = Math.max(part,
                (fromEdge[plane][from] + sender.getValue()) / capacity(fabric.edgeLinks(plane, from)));
            all += sender.getValue();
            pods.merge(fabric.podOfEdge(from), sender.getValue(), Double::sum);
        }
        part = Math.max(part, (toEdge[plane][to] + all) / capacity(fabric.edgeLinks(plane, to)));
        int toPod = fabric.podOfEdge(to);
        double others = all - pods.getOrDefault(toPod, 0.0);
        pods.remove(toPod);
        for (Map.Entry<Integer, Double> from : pods.entrySet()) {
            part = Math.max(part, Math.max(
                (toSpine[plane][spine][from.getKey()] + from.getValue())
                    / capacity(fabric.spineLinks(plane, spine, from.getKey())),
                (fromSpine[plane][spine][toPod] + others) / capacity(fabric.spineLinks(plane, spine, toPod))));
        }
        return part;
    }

    /** The reciprocal of what is left of the uplinks of an edge switch, in 1/Gbps; 0 without a usable one. */
    double inverseFromEdge(int plane, int edge) {
        return inverse(fabric.edgeLinks(plane, edge), fromEdge[plane][edge]);
    }

    double inverseToEdge(int plane, int edge) {
        return inverse(fabric.edgeLinks(plane, edge), toEdge[plane][edge]);
    }

    double inverseToSpine(int plane, int spine, int pod) {
        return inverse(fabric.spineLinks(plane, spine, pod), toSpine[plane][spine][pod]);
    }

    double inverseFromSpine(int plane, int spine, int pod) {
        return inverse(fabric.spineLinks(plane, spine, pod), fromSpine[plane][spine][pod]);
    }

    /** Gbps of parallel links together. */
    static double capacity(List<Segment> links) {
        // mostly one: tens of thousands of streams would take a noticeable part of a placement
        return links.size() == 1 ? links.get(0).capacity() : links.stream().mapToDouble(Segment::capacity).sum();
    }

    private static double inverse(List<Segment> links, double taken) {
        double capacity = capacity(links);
        return links.isEmpty() ? 0 : 1 / Math.max(capacity - taken, capacity * LEAST_LEFT);
    }
}
