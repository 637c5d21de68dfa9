package org.daqfabric.impl.engine;

import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;

/** Fabrics whose nodes run several switches, each as a bridge of its own. */
public final class SharedNodes {
    private SharedNodes() {
    }

    /** The same fabric on so many nodes, {@code node-0} and so on, with ports whose names are unique on them. */
    public static FabricSpec of(FabricSpec spec, Random random, int nodes) {
        UnaryOperator<PortId> to = end -> new PortId(end.switchName(), end.switchName() + "." + end.port());
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches().stream().map(sw ->
            withPorts(FabricEdits.at(sw, "node-" + random.nextInt(nodes), "br-" + sw.name()), to)).toList(),
            links(spec, to), spec.policy());
    }

    /** The same fabric, with the same addresses, under another name and with other names of switches and bridges. */
    public static FabricSpec twin(FabricSpec spec, String name) {
        UnaryOperator<String> to = switchName -> name + "-" + switchName;
        List<Plane> planes = spec.planes().stream().map(plane -> new Plane(plane.id(),
            plane.spines().stream().map(spine -> new Spine(spine.id(), to.apply(spine.switchName()))).toList(),
            plane.leaves().stream().map(leaf -> new Leaf(leaf.pod(), to.apply(leaf.switchName()))).toList())).toList();
        List<Pod> pods = spec.pods().stream().map(pod -> new Pod(pod.id(),
            pod.ros().stream().map(ros -> new Ros(ros.name(), ros.address(), to.apply(ros.switchName()),
                ros.fragmentWeight())).toList(),
            pod.racks().stream().map(rack -> new HltRack(rack.name(), to.apply(rack.switchName()), rack.dcms()))
                .toList())).toList();
        UnaryOperator<PortId> port = end -> new PortId(to.apply(end.switchName()), to.apply(end.port()));
        return new FabricSpec(name, planes, pods, spec.switches().stream().map(sw ->
            withPorts(FabricEdits.at(sw, sw.systemId(), to.apply(sw.bridge())), port).withName(to.apply(sw.name())))
            .toList(), links(spec, port), spec.policy());
    }

    /** A switch whose ports have other names. */
    private static Switch withPorts(Switch sw, UnaryOperator<PortId> to) {
        SortedMap<String, PortSettings> ports = new TreeMap<>();
        sw.ports().forEach((port, settings) -> ports.put(to.apply(new PortId(sw.name(), port)).port(), settings));
        return new Switch(sw.name(), sw.systemId(), sw.ovsdbAddress(), sw.bridge(), sw.datapathType(),
            sw.adminState(), ports, sw.dpdk(), sw.certificateName());
    }

    private static List<Link> links(FabricSpec spec, UnaryOperator<PortId> ends) {
        return spec.links().stream().map(link -> new Link(ends.apply(link.end()), ends.apply(link.peer()),
            link.capacity(), link.adminState())).toList();
    }
}
