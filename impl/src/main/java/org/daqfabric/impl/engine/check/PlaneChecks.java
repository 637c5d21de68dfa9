package org.daqfabric.impl.engine.check;

import java.util.Set;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;

/** Every plane has a spine, and one leaf for each pod of the fabric. */
final class PlaneChecks {
    private PlaneChecks() {
    }

    static void check(FabricSpec spec, Problems problems) {
        NodeLocations locations = NodeLocations.of(spec.name());
        Set<Integer> pods = spec.pods().stream().map(Pod::id).collect(Collectors.toSet());
        for (Plane plane : spec.planes()) {
            if (plane.spines().isEmpty()) {
                problems.add(locations.plane(plane), "plane %d has no spine: add one or remove the plane", plane.id());
            }
            Set<Integer> served = plane.leaves().stream().map(Leaf::pod).collect(Collectors.toSet());
            for (Pod pod : spec.pods()) {
                if (!served.contains(pod.id())) {
                    problems.add(locations.plane(plane),
                        "plane %d has no leaf for pod %d: add a leaf with pod %2$d to the plane, or remove the pod",
                        plane.id(), pod.id());
                }
            }
            for (Leaf leaf : plane.leaves()) {
                if (!pods.contains(leaf.pod())) {
                    problems.add(locations.leaf(plane, leaf).child("pod"),
                        "plane %d has a leaf for the unknown pod %d: declare the pod or remove the leaf", plane.id(),
                        leaf.pod());
                }
            }
        }
    }
}
