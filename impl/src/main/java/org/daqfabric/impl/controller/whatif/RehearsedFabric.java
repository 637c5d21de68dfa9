package org.daqfabric.impl.controller.whatif;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.controller.rollout.Planner;
import org.daqfabric.impl.controller.rollout.ProgramCache;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.rollout.AvoidedLinks;
import org.daqfabric.impl.engine.topology.Topology;

/** A small fabric that does not exist, in force and with all links up, on which repairs are rehearsed. */
final class RehearsedFabric {
    private static final int PLANES = 2;
    private static final int SPINES = 4;
    private static final int PODS = 4;
    private static final int RACKS = 4;
    private static final int DCMS = 8;
    private static final double GBPS = 10;
    private static final int FIRST_ADDRESS = 10 << 24;
    private static final int BFD_MILLIS = 1000;
    private static final Policy POLICY = new Policy(
        new Policy.Placement(Policy.Algorithm.WATERFILLING, Policy.Return.AT_ONCE),
        new Policy.Daqring(Policy.RingsOn.ALL_SWITCHES, Policy.Backend.DAQRING, new DaqringOptions(4096, 4, 0)),
        new Policy.Protection(true, true, BFD_MILLIS), Policy.Rules.HOST);

    private final List<Switch> switches = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private int addresses;

    private RehearsedFabric() {
    }

    static Snapshot snapshot() {
        Topology topology = new Topology(new RehearsedFabric().spec());
        Set<String> names = topology.roles().keySet();
        Decision decision = Planner.decide(topology, topology, UnusableLinks.ALL_UP, Decision.NONE, PortNumbers.EMPTY,
            Scope.OPTIMISE, names);
        SortedMap<String, Set<String>> ports = new TreeMap<>();
        names.forEach(name -> ports.put(name, decision.portNumbers().of(name).keySet()));
        return new Snapshot(topology, decision, UnusableLinks.ALL_UP,
            new ProgramCache().compile(topology, UnusableLinks.ALL_UP, decision, ports), Map.of(),
            decision.portNumbers(), names, AvoidedLinks.settled(topology, UnusableLinks.ALL_UP), Set.of(),
            RunDirective.FREE, topology, UnusableLinks.ALL_UP, UnusableLinks.ALL_UP, UnusableLinks.ALL_UP, 0);
    }

    private FabricSpec spec() {
        List<Plane> planes = new ArrayList<>();
        for (int plane = 1; plane <= PLANES; plane++) {
            planes.add(plane(plane));
        }
        List<Pod> pods = new ArrayList<>();
        for (int pod = 1; pod <= PODS; pod++) {
            pods.add(pod(pod));
        }
        return new FabricSpec("rehearsed", planes, pods, switches, links, POLICY);
    }

    private Plane plane(int plane) {
        List<Spine> spines = new ArrayList<>();
        for (int spine = 1; spine <= SPINES; spine++) {
            spines.add(new Spine(spine, add("spine-" + plane + "-" + spine)));
        }
        List<Leaf> leaves = new ArrayList<>();
        for (int pod = 1; pod <= PODS; pod++) {
            String leaf = add(leaf(plane, pod));
            leaves.add(new Leaf(pod, leaf));
            spines.forEach(spine -> connect(leaf, "s" + spine.id(), spine.switchName()));
        }
        return new Plane(plane, spines, leaves);
    }

    private Pod pod(int pod) {
        List<Ros> ros = new ArrayList<>();
        List<HltRack> racks = new ArrayList<>();
        for (int index = 1; index <= RACKS; index++) {
            String reads = edge("ros-" + pod + "-" + index, pod);
            ros.add(new Ros(reads, address(), reads, 1));
            String rack = edge("rack-" + pod + "-" + index, pod);
            List<Dcm> dcms = new ArrayList<>();
            for (int dcm = 1; dcm <= DCMS; dcm++) {
                dcms.add(new Dcm(rack + "-" + dcm, address(), 1, Dcm.LOCAL, Optional.empty()));
            }
            racks.add(new HltRack(rack, rack, dcms));
        }
        return new Pod(pod, ros, racks);
    }

    private String edge(String name, int pod) {
        add(name);
        for (int plane = 1; plane <= PLANES; plane++) {
            connect(name, "p" + plane, leaf(plane, pod));
        }
        return name;
    }

    private static String leaf(int plane, int pod) {
        return "leaf-" + plane + "-" + pod;
    }

    private String add(String name) {
        switches.add(new Switch(name, name, Optional.empty(), "br", DatapathType.NETDEV, AdminState.IN_SERVICE));
        return name;
    }

    private void connect(String lower, String port, String upper) {
        links.add(new Link(new PortId(lower, port), new PortId(upper, "to-" + lower), GBPS, AdminState.IN_SERVICE));
    }

    private Address address() {
        return Address.ofIpv4(FIRST_ADDRESS + ++addresses);
    }
}
