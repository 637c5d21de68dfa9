package org.daqfabric.impl.engine.check;

import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;

/**
 * Locations of the nodes of one fabric.
 *
 * @param fabric location of the fabric itself
 */
record NodeLocations(Location fabric) {
    static NodeLocations of(String fabric) {
        return new NodeLocations(Location.fabric(fabric));
    }

    Location plane(Plane plane) {
        return fabric.entry("plane", "id", plane.id());
    }

    Location spine(Plane plane, Spine spine) {
        return plane(plane).entry("spine", "id", spine.id());
    }

    Location leaf(Plane plane, Leaf leaf) {
        return plane(plane).entry("leaf", "pod", leaf.pod());
    }

    Location pod(Pod pod) {
        return fabric.entry("pod", "id", pod.id());
    }

    Location ros(Pod pod, Ros ros) {
        return pod(pod).entry("ros", "name", ros.name());
    }

    Location rack(Pod pod, HltRack rack) {
        return pod(pod).entry("hlt-rack", "name", rack.name());
    }

    Location dcm(Pod pod, HltRack rack, Dcm dcm) {
        return rack(pod, rack).entry("dcm", "name", dcm.name());
    }

    Location host(Pod pod, Host host) {
        return pod(pod).entry("host", "name", host.name());
    }

    Location flow(Flow flow) {
        return fabric.entry("flow", "name", flow.name());
    }

    Location switchNamed(String name) {
        return fabric.entry("switch", "name", name);
    }

    Location link(PortId end) {
        return fabric.entry("link", "switch", end.switchName(), "port", end.port());
    }
}
