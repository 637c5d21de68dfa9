package org.daqfabric.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * The bandwidth that no placement by pod exceeds: a linear program that splits what each ROS sends to each rack over
 * planes and spines in any parts. ROS, and racks, that are alike share variables: as the program is convex, it has a
 * best solution in which they do the same.
 */
final class SplitBound {
    private final UsableFabric fabric;
    private final List<Side> sources;
    private final List<Side> racks;
    private final Map<List<Integer>, Map<Integer, Double>> links = new HashMap<>();
    private final Map<List<Integer>, Double> capacities = new HashMap<>();
    private final List<int[]> sums = new ArrayList<>();
    private int variables = 1;
    private double delivered;

    /**
     * Edge switches that are alike: so many of a pod, the weight behind each, and the capacity into each plane.
     *
     * @param node the edge switch if it is a ROS and a rack, and so alike no other; -1 if it is one of them
     */
    private record Side(int pod, double weight, List<Double> capacity, int node, int count) {
    }

    private SplitBound(Topology topology, UnusableLinks unusable) {
        fabric = new UsableFabric(topology, unusable);
        sources = sides(topology, false);
        racks = sides(topology, true);
    }

    /** Gbps; 0 if nothing can flow. */
    static double of(Topology topology, UnusableLinks unusable) {
        return new SplitBound(topology, unusable).solve();
    }

    private List<Side> sides(Topology topology, boolean ofRacks) {
        Map<Side, Integer> counts = new LinkedHashMap<>();
        topology.edges().forEach((name, hosts) -> {
            double weight =
                hosts.stream().filter(host -> host.isDcm() == ofRacks).mapToDouble(Endpoint::weight).sum();
            if (weight > 0) {
                int edge = fabric.edge(name);
                List<Double> capacity = new ArrayList<>();
                for (int plane = 0; plane < fabric.planes(); plane++) {
                    capacity.add(capacity(fabric.edgeLinks(plane, edge)));
                }
                boolean isBoth = hosts.stream().anyMatch(host -> host.isDcm() != ofRacks);
                counts.merge(new Side(fabric.podOfEdge(edge), weight, capacity, isBoth ? edge : -1, 0), 1,
                    Integer::sum);
            }
        });
        return counts.entrySet().stream().map(each -> new Side(each.getKey().pod(), each.getKey().weight(),
            each.getKey().capacity(), each.getKey().node(), each.getValue())).toList();
    }

    private static double capacity(List<Segment> lanes) {
        return lanes.stream().mapToDouble(Segment::capacity).sum();
    }

    private double solve() {
        for (int from = 0; from < sources.size(); from++) {
            for (int to = 0; to < racks.size(); to++) {
                addPair(from, to);
            }
        }
        if (sums.isEmpty()) {
            return 0;
        }
        List<LinearConstraint> constraints = new ArrayList<>();
        for (int[] sum : sums) {
            double[] row = new double[variables];
            Arrays.stream(sum).forEach(variable -> row[variable] = 1);
            constraints.add(new LinearConstraint(row, Relationship.EQ, 1));
        }
        links.forEach((link, loads) -> {
            double[] row = new double[variables];
            row[0] = -1;
            loads.forEach((variable, load) -> row[variable] = load / capacities.get(link));
            constraints.add(new LinearConstraint(row, Relationship.LEQ, 0));
        });
        double[] goal = new double[variables];
        goal[0] = 1;
        // variable 0 is the highest relative load
        return delivered / new SimplexSolver().optimize(new LinearObjectiveFunction(goal, 0),
            new LinearConstraintSet(constraints), GoalType.MINIMIZE, new NonNegativeConstraint(true)).getValue();
    }

    private void addPair(int from, int to) {
        Side source = sources.get(from);
        Side rack = racks.get(to);
        if (source.node() >= 0 && source.node() == rack.node()) {
            delivered += load(source, rack);
            return;
        }
        List<Integer> parts = new ArrayList<>();
        for (int plane = 0; plane < fabric.planes(); plane++) {
            if (source.capacity().get(plane) > 0 && rack.capacity().get(plane) > 0) {
                for (int spine = 0; spine < (source.pod() == rack.pod() ? 1 : fabric.spines(plane)); spine++) {
                    if (source.pod() == rack.pod()
                        || fabric.joins(plane, spine, source.pod(), rack.pod())) {
                        parts.add(variables);
                        addPart(from, to, plane, spine);
                    }
                }
            }
        }
        if (!parts.isEmpty()) {
            sums.add(parts.stream().mapToInt(Integer::intValue).toArray());
            delivered += load(source, rack) * source.count() * rack.count();
        }
    }

    private static double load(Side source, Side rack) {
        return source.weight() * rack.weight();
    }

    private void addPart(int from, int to, int plane, int spine) {
        Side source = sources.get(from);
        Side rack = racks.get(to);
        double load = load(source, rack);
        use(List.of(0, from, plane), load * rack.count(), source.capacity().get(plane));
        use(List.of(1, to, plane), load * source.count(), rack.capacity().get(plane));
        if (source.pod() != rack.pod()) {
            double all = load * source.count() * rack.count();
            use(List.of(2, plane, spine, source.pod()), all, capacity(fabric.spineLinks(plane, spine, source.pod())));
            use(List.of(3, plane, spine, rack.pod()), all, capacity(fabric.spineLinks(plane, spine, rack.pod())));
        }
        variables++;
    }

    private void use(List<Integer> link, double load, double capacity) {
        links.computeIfAbsent(link, any -> new HashMap<>()).put(variables, load);
        capacities.put(link, capacity);
    }
}
