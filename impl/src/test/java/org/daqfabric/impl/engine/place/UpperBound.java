package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.impl.engine.Wiring;

/**
 * A bandwidth that no placement exceeds, even one that splits every flow: for any lengths of links, the capacities
 * times the lengths are at least the event rate times all demands times their shortest paths (the dual of maximum
 * concurrent flow). Lengths are found by multiplicative weights; any lengths give a true bound. It finds all paths
 * from names and links, without the model.
 */
final class UpperBound {
    private static final int ROUNDS = 400;

    private final Map<List<String>, Integer> index = new HashMap<>();
    private final List<Double> capacity = new ArrayList<>();
    /** Per pair of a ROS and a rack with DCMs: its paths as link indexes, and its demand. */
    private final List<List<int[]>> paths = new ArrayList<>();
    private final List<Double> demand = new ArrayList<>();
    /** What nodes send to themselves, which takes no link. */
    private double own;

    private UpperBound(FabricSpec spec, Wiring wiring) {
        Map<List<String>, Double> sums = new HashMap<>();
        for (Link link : spec.links()) {
            if (wiring.usable(link)) {
                String end = link.end().switchName();
                String peer = link.peer().switchName();
                sums.merge(List.of(end, peer), link.capacity(), Double::sum);
                sums.merge(List.of(peer, end), link.capacity(), Double::sum);
            }
        }
        sums.forEach((ends, sum) -> {
            index.put(ends, capacity.size());
            capacity.add(sum);
        });
        for (Pod to : spec.pods()) {
            for (HltRack rack : to.racks()) {
                double weight = rack.dcms().stream().mapToDouble(dcm -> dcm.weight()).sum();
                for (Pod from : spec.pods()) {
                    for (Ros ros : from.ros()) {
                        List<int[]> choices = paths(spec, ros.switchName(), from.id(), rack.switchName(), to.id());
                        if (ros.switchName().equals(rack.switchName())) {
                            own += weight * ros.fragmentWeight();
                        } else if (weight > 0 && !choices.isEmpty()) {
                            paths.add(choices);
                            demand.add(weight * ros.fragmentWeight());
                        }
                    }
                }
            }
        }
    }

    /** Gbps; infinite if nothing can flow. */
    static double of(FabricSpec spec, Wiring wiring) {
        return new UpperBound(spec, wiring).search();
    }

    private List<int[]> paths(FabricSpec spec, String ros, int fromPod, String rack, int toPod) {
        List<int[]> choices = new ArrayList<>();
        for (Plane plane : spec.planes()) {
            String from = leaf(plane, fromPod);
            String to = leaf(plane, toPod);
            if (fromPod == toPod) {
                add(choices, ros, from, rack);
            } else {
                for (Spine spine : plane.spines()) {
                    add(choices, ros, from, spine.switchName(), to, rack);
                }
            }
        }
        return choices;
    }

    private static String leaf(Plane plane, int pod) {
        return plane.leaves().stream().filter(leaf -> leaf.pod() == pod).map(Leaf::switchName).findFirst()
            .orElseThrow();
    }

    private void add(List<int[]> choices, String... hops) {
        int[] path = new int[hops.length - 1];
        for (int hop = 0; hop < path.length; hop++) {
            Integer link = index.get(List.of(hops[hop], hops[hop + 1]));
            if (link == null) {
                return;
            }
            path[hop] = link;
        }
        choices.add(path);
    }

    private double search() {
        double total = own + demand.stream().mapToDouble(each -> each).sum();
        double[] flow = new double[capacity.size()];
        double best = Double.POSITIVE_INFINITY;
        for (int round = 1; round <= ROUNDS; round++) {
            double fullest = 0;
            for (int link = 0; link < flow.length; link++) {
                fullest = Math.max(fullest, flow[link] / capacity.get(link));
            }
            double[] length = new double[flow.length];
            for (int link = 0; link < flow.length; link++) {
                double relative = fullest == 0 ? 0 : flow[link] / capacity.get(link) / fullest;
                length[link] = Math.exp(Math.min(60, round * 0.5) * (relative - 1)) / capacity.get(link);
            }
            double shortest = 0;
            for (int pair = 0; pair < paths.size(); pair++) {
                int[] path = shortest(paths.get(pair), length);
                shortest += demand.get(pair) * length(path, length);
                for (int link : path) {
                    flow[link] += demand.get(pair);
                }
            }
            double volume = 0;
            for (int link = 0; link < flow.length; link++) {
                volume += capacity.get(link) * length[link];
            }
            best = Math.min(best, volume / shortest);
        }
        return paths.isEmpty() ? Double.POSITIVE_INFINITY : best * total;
    }

    private static int[] shortest(List<int[]> choices, double[] length) {
        int[] best = choices.get(0);
        for (int[] path : choices) {
            if (length(path, length) < length(best, length)) {
                best = path;
            }
        }
        return best;
    }

    private static double length(int[] path, double[] length) {
        return Arrays.stream(path).mapToDouble(link -> length[link]).sum();
    }
}
