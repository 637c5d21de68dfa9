package org.daqfabric.impl.engine.traffic;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.state.TrafficMatrix.Pair;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.daqfabric.impl.engine.capacity.LinkLoad;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Weights from counted traffic: the part of a ROS or DCM in all bytes. Loads multiply the weight of a ROS with that of
 * a DCM, so they have each sum of the matrix right, and each pair where all ROS send in the same proportions.
 */
final class MeasuredWeights {
    /** The model takes no weight of 0, and people no more than three digits. */
    private static final double LEAST = 0.001;

    private MeasuredWeights() {
    }

    static Optional<Weights> of(List<Pair> pairs, Topology topology, UnusableLinks unusable, Placement placement) {
        if (pairs.isEmpty()) {
            return Optional.empty();
        }
        FabricSpec spec = topology.spec();
        SortedMap<String, Double> ros = weights(pairs, Pair::ros,
            spec.pods().stream().flatMap(pod -> pod.ros().stream()).map(Ros::name));
        SortedMap<String, Double> dcms = weights(pairs, Pair::dcm,
            spec.pods().stream().flatMap(pod -> pod.racks().stream()).flatMap(rack -> rack.dcms().stream())
                .map(Dcm::name));
        Topology measured =
            new Topology(spec.weighed(each -> ros.get(each.name()), each -> dcms.get(each.name())));
        Loads now = Loads.of(measured, unusable, placement);
        Loads then = Loads.of(measured, unusable, Placer.place(measured, unusable, placement, Scope.OPTIMISE));
        return Optional.of(new Weights(ros, dcms, now.bandwidth(),
            now.bottleneck().map(LinkLoad::toString).orElse(""), then.bandwidth()));
    }

    private static SortedMap<String, Double> weights(List<Pair> pairs, Function<Pair, String> of,
            Stream<String> names) {
        SortedMap<String, Double> bytes = new TreeMap<>();
        names.forEach(name -> bytes.put(name, 0.0));
        pairs.forEach(pair -> bytes.merge(of.apply(pair), (double) pair.bytes(), Double::sum));
        double mean = bytes.values().stream().mapToDouble(Double::doubleValue).average().orElse(1);
        bytes.replaceAll((name, sum) -> Math.max(LEAST, Math.rint(sum / mean / LEAST) * LEAST));
        return bytes;
    }
}
