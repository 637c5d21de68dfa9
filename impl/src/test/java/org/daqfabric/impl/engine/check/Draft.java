package org.daqfabric.impl.engine.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;

/** A fabric that a test can spoil: every part can be added, replaced and removed. */
final class Draft {
    final String name;
    final SortedMap<Integer, List<Spine>> spines = new TreeMap<>();
    final SortedMap<Integer, List<Leaf>> leaves = new TreeMap<>();
    final SortedMap<Integer, List<Ros>> ros = new TreeMap<>();
    final SortedMap<Integer, List<HltRack>> racks = new TreeMap<>();
    final SortedMap<Integer, List<Host>> hosts = new TreeMap<>();
    final List<Flow> flows = new ArrayList<>();
    final List<Switch> switches = new ArrayList<>();
    final List<Link> links = new ArrayList<>();
    Policy policy = new Policy(new Policy.Placement(Policy.Algorithm.WATERFILLING, Policy.Return.AT_ONCE),
        new Policy.Daqring(Policy.RingsOn.ALL_SWITCHES, Policy.Backend.DAQRING,
            new DaqringOptions(4096, 32, 0)),
        new Policy.Protection(true, true, 50), Policy.Rules.HOST);

    Draft(String name) {
        this.name = name;
    }

    /**
     * Two planes of two spines, two pods with one ROS and one rack of two DCMs each. Spines are {@code s-PLANE-ID},
     * leaves {@code l-PLANE-POD}, ROS {@code ros-POD}, racks {@code rack-POD}, DCMs {@code dcm-POD-NUMBER}; ports are
     * named after the switch at the other end.
     */
    static Draft small(String name) {
        Draft draft = new Draft(name);
        for (int pod = 1; pod <= 2; pod++) {
            draft.ros(pod, new Ros("ros-" + pod, Address.parse("10.0." + pod + ".1"), "ros-" + pod, 1));
            draft.rack(pod, "rack-" + pod, "rack-" + pod, dcm("dcm-" + pod + "-1", "10.1." + pod + ".1"),
                dcm("dcm-" + pod + "-2", "10.1." + pod + ".2"));
            draft.switches("ros-" + pod, "rack-" + pod);
        }
        for (int plane = 1; plane <= 2; plane++) {
            for (int id = 1; id <= 2; id++) {
                draft.spine(plane, id, "s-" + plane + "-" + id);
            }
            for (int pod = 1; pod <= 2; pod++) {
                String leaf = "l-" + plane + "-" + pod;
                draft.leaf(plane, pod, leaf);
                draft.link(leaf, "s-" + plane + "-1").link(leaf, "s-" + plane + "-2");
                draft.link("ros-" + pod, leaf).link("rack-" + pod, leaf);
            }
        }
        return draft;
    }

    Draft spine(int plane, int id, String sw) {
        spines.computeIfAbsent(plane, key -> new ArrayList<>()).add(new Spine(id, sw));
        return switches(sw);
    }

    Draft leaf(int plane, int pod, String sw) {
        leaves.computeIfAbsent(plane, key -> new ArrayList<>()).add(new Leaf(pod, sw));
        return switches(sw);
    }

    Draft ros(int pod, Ros node) {
        racks.computeIfAbsent(pod, key -> new ArrayList<>());
        ros.computeIfAbsent(pod, key -> new ArrayList<>()).add(node);
        return this;
    }

    Draft rack(int pod, String rack, String sw, Dcm... dcms) {
        racks.computeIfAbsent(pod, key -> new ArrayList<>()).add(new HltRack(rack, sw, List.of(dcms)));
        return this;
    }

    /** Adds a host on the node that runs the switch. */
    Draft host(int pod, String host, String address, String sw) {
        return host(pod, new Host(host, Address.parse(address), sw, Dcm.LOCAL, Optional.empty()));
    }

    Draft host(int pod, Host host) {
        hosts.computeIfAbsent(pod, key -> new ArrayList<>()).add(host);
        return this;
    }

    /** Adds a flow of 1 Gbps. */
    Draft flow(String flow, String from, String to) {
        flows.add(new Flow(flow, from, to, Flow.Kind.EVENTS, 1, 0));
        return this;
    }

    Draft switches(String... names) {
        for (String sw : names) {
            if (switches.stream().noneMatch(known -> known.name().equals(sw))) {
                switches.add(node(sw, name + "-" + sw, "br-daq"));
            }
        }
        return this;
    }

    Draft link(String end, String peer) {
        return link(end, peer, peer, end);
    }

    Draft link(String end, String port, String peer, String peerPort) {
        return link(new Link(new PortId(end, port), new PortId(peer, peerPort), 10, AdminState.IN_SERVICE));
    }

    Draft link(Link link) {
        links.add(link);
        return this;
    }

    Draft unlink(String sw) {
        links.removeIf(link -> link.end().switchName().equals(sw) || link.peer().switchName().equals(sw));
        return this;
    }

    Draft changeSwitch(String sw, UnaryOperator<Switch> change) {
        switches.replaceAll(known -> known.name().equals(sw) ? change.apply(known) : known);
        return this;
    }

    static Dcm dcm(String name, String address) {
        return new Dcm(name, Address.parse(address), 1, Dcm.LOCAL, Optional.empty());
    }

    static Dcm dcm(String name, String address, String port, String mac) {
        return new Dcm(name, Address.parse(address), 1, port, Optional.ofNullable(mac).map(Mac::parse));
    }

    static Switch node(String name, String systemId, String bridge) {
        return new Switch(name, systemId, Optional.empty(), bridge, DatapathType.NETDEV, AdminState.IN_SERVICE);
    }

    FabricSpec build() {
        TreeMap<Integer, Plane> planes = new TreeMap<>();
        spines.forEach((id, list) -> planes.put(id, new Plane(id, list, leaves.getOrDefault(id, List.of()))));
        leaves.forEach((id, list) -> planes.putIfAbsent(id, new Plane(id, List.of(), list)));
        List<Pod> pods = new ArrayList<>();
        racks.forEach((id, list) -> pods.add(new Pod(id, ros.getOrDefault(id, List.of()), list,
            hosts.getOrDefault(id, List.of()))));
        return new FabricSpec(name, List.copyOf(planes.values()), pods, switches, links, policy, flows);
    }
}
