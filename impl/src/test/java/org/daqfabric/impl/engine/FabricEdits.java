package org.daqfabric.impl.engine;

import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;

/** Edits of a configuration. */
public final class FabricEdits {
    private FabricEdits() {
    }

    /** Other names for some switches, by their old names; nodes and bridges stay. */
    public static FabricSpec rename(FabricSpec spec, Map<String, String> names) {
        UnaryOperator<String> name = before -> names.getOrDefault(before, before);
        List<Plane> planes = spec.planes().stream().map(plane -> new Plane(plane.id(),
            plane.spines().stream().map(spine -> new Spine(spine.id(), name.apply(spine.switchName()))).toList(),
            plane.leaves().stream().map(leaf -> new Leaf(leaf.pod(), name.apply(leaf.switchName()))).toList()))
            .toList();
        List<Pod> pods = spec.pods().stream().map(pod -> new Pod(pod.id(),
            pod.ros().stream().map(ros ->
                new Ros(ros.name(), ros.address(), name.apply(ros.switchName()), ros.fragmentWeight())).toList(),
            pod.racks().stream().map(rack ->
                new HltRack(rack.name(), name.apply(rack.switchName()), rack.dcms())).toList())).toList();
        List<Switch> switches = spec.switches().stream().map(each -> each.withName(name.apply(each.name()))).toList();
        List<Link> links = spec.links().stream().map(link -> new Link(rename(link.end(), name),
            rename(link.peer(), name), link.capacity(), link.adminState())).toList();
        return new FabricSpec(spec.name(), planes, pods, switches, links, spec.policy());
    }

    private static PortId rename(PortId port, UnaryOperator<String> name) {
        return new PortId(name.apply(port.switchName()), port.port());
    }

    /** Other ids for the spines of every plane. */
    public static FabricSpec renumberSpines(FabricSpec spec, IntUnaryOperator id) {
        return withPlanes(spec, spec.planes().stream().map(plane -> new Plane(plane.id(), plane.spines().stream()
            .map(spine -> new Spine(id.applyAsInt(spine.id()), spine.switchName())).toList(), plane.leaves()))
            .toList());
    }

    /** Other ids for the planes. */
    public static FabricSpec renumberPlanes(FabricSpec spec, IntUnaryOperator id) {
        return withPlanes(spec, spec.planes().stream().map(plane ->
            new Plane(id.applyAsInt(plane.id()), plane.spines(), plane.leaves())).toList());
    }

    /** Other ids for the pods. */
    public static FabricSpec renumberPods(FabricSpec spec, IntUnaryOperator id) {
        List<Plane> planes = spec.planes().stream().map(plane -> new Plane(plane.id(), plane.spines(),
            plane.leaves().stream().map(leaf -> new Leaf(id.applyAsInt(leaf.pod()), leaf.switchName())).toList()))
            .toList();
        return new FabricSpec(spec.name(), planes, spec.pods().stream().map(pod ->
            new Pod(id.applyAsInt(pod.id()), pod.ros(), pod.racks())).toList(), spec.switches(), spec.links(),
            spec.policy());
    }

    /** Other names for the ROS, racks and DCMs. */
    public static FabricSpec renameHosts(FabricSpec spec, UnaryOperator<String> name) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods().stream().map(pod -> new Pod(pod.id(),
            pod.ros().stream().map(ros -> new Ros(name.apply(ros.name()), ros.address(), ros.switchName(),
                ros.fragmentWeight())).toList(),
            pod.racks().stream().map(rack -> new HltRack(name.apply(rack.name()), rack.switchName(),
                rack.dcms().stream().map(dcm -> new Dcm(name.apply(dcm.name()), dcm.address(), dcm.weight(),
                    dcm.port(), dcm.mac())).toList())).toList())).toList(),
            spec.switches(), spec.links(), spec.policy());
    }

    /** One switch described otherwise. */
    public static FabricSpec change(FabricSpec spec, String switchName, UnaryOperator<Switch> how) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches().stream().map(each ->
            each.name().equals(switchName) ? how.apply(each) : each).toList(), spec.links(), spec.policy());
    }

    /** A switch elsewhere: a bridge on a node. */
    public static Switch at(Switch before, String systemId, String bridge) {
        return new Switch(before.name(), systemId, before.ovsdbAddress(), bridge, before.datapathType(),
            before.adminState(), before.ports(), before.dpdk(), before.certificateName());
    }

    /** Without a spine and its links. */
    public static FabricSpec withoutSpine(FabricSpec spec, String name) {
        List<Plane> planes = spec.planes().stream().map(plane -> new Plane(plane.id(), plane.spines().stream()
            .filter(spine -> !spine.switchName().equals(name)).toList(), plane.leaves())).toList();
        return new FabricSpec(spec.name(), planes, spec.pods(),
            spec.switches().stream().filter(each -> !each.name().equals(name)).toList(),
            spec.links().stream().filter(link -> !link.end().switchName().equals(name)
                && !link.peer().switchName().equals(name)).toList(), spec.policy());
    }

    private static FabricSpec withPlanes(FabricSpec spec, List<Plane> planes) {
        return new FabricSpec(spec.name(), planes, spec.pods(), spec.switches(), spec.links(), spec.policy());
    }
}
