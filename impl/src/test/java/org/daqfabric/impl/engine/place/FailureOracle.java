package org.daqfabric.impl.engine.place;

import java.util.List;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.impl.engine.Wiring;
import org.daqfabric.impl.engine.topology.Endpoint;

/** Which addresses a failure touches, and so a repair may move: found from names and links, without the model. */
final class FailureOracle {
    private final FabricSpec spec;
    private final Wiring wiring;

    FailureOracle(FabricSpec spec, Wiring wiring) {
        this.spec = spec;
        this.wiring = wiring;
    }

    /** The first plane and the spine in it. */
    static List<Integer> primary(Route route) {
        int plane = route.planes().get(0);
        return List.of(plane, route.spines().get(plane).spine());
    }

    boolean touched(Endpoint endpoint, Route route) {
        Plane plane = spec.planes().stream().filter(one -> one.id() == primary(route).get(0)).findFirst().orElseThrow();
        String leaf = leaf(plane, endpoint.pod());
        return !wiring.linked(endpoint.edge(), leaf) || spec.pods().stream()
            .filter(pod -> pod.id() != endpoint.pod() && sends(pod, plane, endpoint))
            .anyMatch(pod -> someSpine(plane, leaf(plane, pod.id()), leaf)
                && !joins(plane, primary(route).get(1), leaf(plane, pod.id()), leaf))
            || lost(plane, endpoint);
    }

    /** Whether no source reaches the address by the plane any more, but one does by another plane. */
    private boolean lost(Plane plane, Endpoint endpoint) {
        return !anySource(plane, endpoint)
            && spec.planes().stream().anyMatch(other -> anySource(other, endpoint));
    }

    private boolean anySource(Plane plane, Endpoint endpoint) {
        String leaf = leaf(plane, endpoint.pod());
        return wiring.linked(endpoint.edge(), leaf) && spec.pods().stream().anyMatch(
            pod -> sends(pod, plane, endpoint) && (pod.id() == endpoint.pod()
                || someSpine(plane, leaf(plane, pod.id()), leaf)));
    }

    private boolean sends(Pod pod, Plane plane, Endpoint endpoint) {
        String leaf = leaf(plane, pod.id());
        return endpoint.isDcm() ? pod.ros().stream().anyMatch(ros -> wiring.linked(ros.switchName(), leaf))
            : pod.racks().stream().anyMatch(rack -> !rack.dcms().isEmpty() && wiring.linked(rack.switchName(), leaf));
    }

    private boolean someSpine(Plane plane, String one, String other) {
        return plane.spines().stream().anyMatch(spine -> joins(plane, spine.id(), one, other));
    }

    private boolean joins(Plane plane, int spine, String one, String other) {
        return plane.spines().stream().filter(each -> each.id() == spine).anyMatch(
            each -> wiring.linked(one, each.switchName()) && wiring.linked(other, each.switchName()));
    }

    private static String leaf(Plane plane, int pod) {
        return plane.leaves().stream().filter(leaf -> leaf.pod() == pod).map(Leaf::switchName).findFirst()
            .orElseThrow();
    }
}
