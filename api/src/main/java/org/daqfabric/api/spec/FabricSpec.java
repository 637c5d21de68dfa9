package org.daqfabric.api.spec;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A fabric as the operator described it, valid and with every default filled in. Lists are ordered by their key, so
 * that two configurations that differ only in order are equal and lead to the same programs.
 */
public record FabricSpec(String name, List<Plane> planes, List<Pod> pods, List<Switch> switches, List<Link> links,
        Policy policy, List<Flow> flows) {
    public FabricSpec {
        planes = planes.stream().sorted(Comparator.comparingInt(Plane::id)).toList();
        pods = pods.stream().sorted(Comparator.comparingInt(Pod::id)).toList();
        switches = switches.stream().sorted(Comparator.comparing(Switch::name)).toList();
        links = links.stream().sorted(Comparator.comparing(Link::end)).toList();
        flows = flows.stream().sorted(Comparator.comparing(Flow::name)).toList();
    }

    /** Without flows of other hosts. */
    public FabricSpec(String name, List<Plane> planes, List<Pod> pods, List<Switch> switches, List<Link> links,
            Policy policy) {
        this(name, planes, pods, switches, links, policy, List.of());
    }

    /** The same fabric with other states of its switches and links. */
    public FabricSpec with(List<Switch> otherSwitches, List<Link> otherLinks) {
        return new FabricSpec(name, planes, pods, otherSwitches, otherLinks, policy, flows);
    }

    /** The same fabric, its ROS and DCMs with other weights. */
    public FabricSpec weighed(ToDoubleFunction<Ros> fragmentWeight, ToDoubleFunction<Dcm> weight) {
        return new FabricSpec(name, planes, pods.stream().map(pod -> new Pod(pod.id(),
            pod.ros().stream().map(ros -> new Ros(ros.name(), ros.address(), ros.switchName(),
                fragmentWeight.applyAsDouble(ros))).toList(),
            pod.racks().stream().map(rack -> new HltRack(rack.name(), rack.switchName(), rack.dcms().stream()
                .map(dcm -> new Dcm(dcm.name(), dcm.address(), weight.applyAsDouble(dcm), dcm.port(), dcm.mac()))
                .toList())).toList(), pod.hosts())).toList(), switches, links, policy, flows);
    }
}
