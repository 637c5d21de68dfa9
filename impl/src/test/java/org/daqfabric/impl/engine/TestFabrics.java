package org.daqfabric.impl.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
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

/**
 * Fabrics for tests. Switches are named {@code spine-PLANE-ID}, {@code leaf-PLANE-POD}, {@code ros-POD-N} and
 * {@code rack-POD-N}; a link is named by its lower end, whose port is the name of the switch above ({@code p1} for
 * plane 1 on edge switches, {@code s1} for spine 1 on leaves), with {@code b}, {@code c}... for further parallel links.
 */
public final class TestFabrics {
    public static final Policy POLICY = policy(Policy.Algorithm.WATERFILLING);

    private TestFabrics() {
    }

    /** The fabric of Fig. 6.4: 4 pods of 25 ROS and 7 HLT racks, 10 Gbps links. */
    public static FabricSpec fig64(int planes, int spines, int dcmsPerRack) {
        return regular("fig64", planes, spines, 4, 25, 7, dcmsPerRack);
    }

    /** The fabric of Fig. 6.7: 2 planes of 2 spines, 2 pods of 3 ROS and 3 HLT racks, here with 8 DCMs each. */
    public static FabricSpec prototype() {
        return regular("prototype", 2, 2, 2, 3, 3, 8);
    }

    /** ATLAS in Run 2: 100 ROS and 50 racks of 40 DCMs in 4 pods, 4 planes of 10 spines. */
    public static FabricSpec atlas() {
        Shape shape = new Shape();
        shape.name = "atlas";
        shape.spines = new int[] {10, 10, 10, 10};
        shape.ros = new int[] {25, 25, 25, 25};
        shape.dcms = IntStream.of(13, 13, 12, 12).mapToObj(racks -> IntStream.generate(() -> 40).limit(racks).toArray())
            .toArray(int[][]::new);
        return shape.build();
    }

    /** A fabric of the size of LHCb: 500 ROS and 100 racks of 40 DCMs in 10 pods, 4 planes of 20 spines. */
    public static FabricSpec lhcb() {
        return regular("lhcb", 4, 20, 10, 50, 10, 40);
    }

    /** 100 000 DCMs on 1000 spines: 100 ROS and 2500 racks of 40 DCMs in 4 pods, 4 planes of 250 spines. */
    public static FabricSpec huge() {
        return regular("huge", 4, 250, 4, 25, 625, 40);
    }

    /** A fabric in which all planes, pods and racks are equal, with 10 Gbps links. */
    public static FabricSpec regular(String name, int planes, int spines, int pods, int rosPerPod, int racksPerPod,
            int dcmsPerRack) {
        Shape shape = new Shape();
        shape.name = name;
        shape.spines = IntStream.range(0, planes).map(plane -> spines).toArray();
        shape.ros = IntStream.range(0, pods).map(pod -> rosPerPod).toArray();
        shape.dcms = new int[pods][racksPerPod];
        for (int[] racks : shape.dcms) {
            Arrays.fill(racks, dcmsPerRack);
        }
        return shape.build();
    }

    /**
     * A small fabric with any irregularity that a configuration may have, placed by DCM or by pod, with addresses of
     * IPv4 or IPv6. Failures: see
     * {@link #failures}.
     */
    public static FabricSpec generated(Random random) {
        Shape shape = new Shape();
        shape.name = "generated";
        shape.random = random;
        shape.spines = IntStream.range(0, 1 + random.nextInt(3)).map(plane -> 1 + random.nextInt(4)).toArray();
        shape.ros = IntStream.range(0, 1 + random.nextInt(4)).map(pod -> random.nextInt(4)).toArray();
        shape.dcms = new int[shape.ros.length][];
        for (int pod = 0; pod < shape.dcms.length; pod++) {
            shape.dcms[pod] = IntStream.range(0, random.nextInt(4)).map(rack -> random.nextInt(7)).toArray();
        }
        shape.unevenWeights = random.nextInt(3) == 0;
        shape.unevenCapacities = random.nextInt(3) == 0;
        shape.missing = random.nextInt(3) == 0 ? 0.1 : 0;
        shape.parallel = random.nextInt(3) == 0 ? 0.3 : 0;
        shape.drained = random.nextInt(4) == 0 ? 0.05 : 0;
        FabricSpec spec = shape.build();
        spec = spec.links().size() % 3 == 0 ? ipv6(spec) : spec;
        return spec.links().size() % 2 == 0 ? byPod(spec) : spec;
    }

    /** Such a fabric, every fourth with nodes that are a ROS and a rack. */
    public static FabricSpec generatedWithBuilders(Random random) {
        FabricSpec spec = generated(random);
        return random.nextInt(4) == 0 ? merged(spec) : spec;
    }

    /** A fabric in which every node reads out and builds events, with one DCM each; link capacity 10 Gbps. */
    public static FabricSpec builders(int planes, int spines, int pods, int nodesPerPod) {
        return merged(regular("builders", planes, spines, pods, nodesPerPod, nodesPerPod, 1));
    }

    /** The same fabric with a pod's n-th rack behind the switch of its n-th ROS, as far as there are both. */
    public static FabricSpec merged(FabricSpec spec) {
        Map<String, String> instead = new HashMap<>();
        List<Pod> pods = new ArrayList<>();
        for (Pod pod : spec.pods()) {
            List<HltRack> racks = new ArrayList<>();
            for (HltRack rack : pod.racks()) {
                if (racks.size() < pod.ros().size()) {
                    instead.put(rack.switchName(), pod.ros().get(racks.size()).switchName());
                }
                racks.add(new HltRack(rack.name(), instead.getOrDefault(rack.switchName(), rack.switchName()),
                    rack.dcms()));
            }
            pods.add(new Pod(pod.id(), pod.ros(), racks));
        }
        return new FabricSpec(spec.name(), spec.planes(), pods,
            spec.switches().stream().filter(sw -> !instead.containsKey(sw.name())).toList(),
            spec.links().stream().filter(link -> !instead.containsKey(link.end().switchName())).toList(),
            spec.policy());
    }

    /** Up to three links of a fabric down. */
    public static UnusableLinks failures(Random random, FabricSpec spec) {
        Set<PortId> down = new HashSet<>();
        for (int count = random.nextInt(4); count > 0 && !spec.links().isEmpty(); count--) {
            down.add(spec.links().get(random.nextInt(spec.links().size())).end());
        }
        return new UnusableLinks(down);
    }

    /** All links of a switch down. */
    public static UnusableLinks without(FabricSpec spec, String switchName) {
        return new UnusableLinks(Set.copyOf(spec.links().stream()
            .filter(link -> link.end().switchName().equals(switchName) || link.peer().switchName().equals(switchName))
            .map(Link::end).toList()));
    }

    /** The same fabric with all its lists in another order. */
    public static FabricSpec shuffled(FabricSpec spec, Random random) {
        return new FabricSpec(spec.name(),
            mixed(spec.planes(), random).stream()
                .map(plane -> new Plane(plane.id(), mixed(plane.spines(), random), mixed(plane.leaves(), random)))
                .toList(),
            mixed(spec.pods(), random).stream()
                .map(pod -> new Pod(pod.id(), mixed(pod.ros(), random), mixed(pod.racks(), random).stream()
                    .map(rack -> new HltRack(rack.name(), rack.switchName(), mixed(rack.dcms(), random)))
                    .toList()))
                .toList(),
            mixed(spec.switches(), random), mixed(spec.links(), random), spec.policy());
    }

    /** The same fabric with rules to prefixes at the switches of ROS. */
    public static FabricSpec compressed(FabricSpec spec) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), spec.links(),
            new Policy(spec.policy().placement(), spec.policy().daqring(), spec.policy().protection(),
                Policy.Rules.COMPRESSED, spec.policy().mtu()), spec.flows());
    }

    /** The same fabric, placed by pod. */
    public static FabricSpec byPod(FabricSpec spec) {
        return placed(spec, Policy.Granularity.POD);
    }

    /** The same fabric, placed with another granularity. */
    public static FabricSpec placed(FabricSpec spec, Policy.Granularity granularity) {
        Policy policy = spec.policy();
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), spec.links(),
            new Policy(new Policy.Placement(policy.placement().algorithm(), policy.placement().onReturn(), granularity),
                policy.daqring(), policy.protection(), policy.rules(), policy.mtu()), spec.flows());
    }

    /** The same fabric with addresses in random order, of which every other one is not used. */
    public static FabricSpec readdressed(FabricSpec spec, Random random) {
        List<Address> addresses = new ArrayList<>(IntStream.range(0, 2 * spec.pods().stream().mapToInt(pod ->
            pod.ros().size() + pod.racks().stream().mapToInt(rack -> rack.dcms().size()).sum()).sum())
            .mapToObj(each -> Addresses.plus(Address.parse("10.1.0.0"), each)).toList());
        Collections.shuffle(addresses, random);
        return readdressed(spec, before -> addresses.removeLast());
    }

    /** The same fabric with IPv6 addresses in the order of the IPv4 addresses. */
    public static FabricSpec ipv6(FabricSpec spec) {
        return readdressed(spec, Addresses::six);
    }

    /** The same fabric with other addresses of ROS and DCMs. */
    public static FabricSpec readdressed(FabricSpec spec, UnaryOperator<Address> other) {
        List<Pod> pods = spec.pods().stream().map(pod -> new Pod(pod.id(),
            pod.ros().stream().map(ros -> new Ros(ros.name(), other.apply(ros.address()), ros.switchName(),
                ros.fragmentWeight())).toList(),
            pod.racks().stream().map(rack -> new HltRack(rack.name(), rack.switchName(), rack.dcms().stream()
                .map(dcm -> new Dcm(dcm.name(), other.apply(dcm.address()), dcm.weight(), dcm.port(), dcm.mac()))
                .toList())).toList(), pod.hosts())).toList();
        return new FabricSpec(spec.name(), spec.planes(), pods, spec.switches(), spec.links(), spec.policy(),
            spec.flows());
    }

    private static <T> List<T> mixed(List<T> list, Random random) {
        List<T> copy = new ArrayList<>(list);
        Collections.shuffle(copy, random);
        return copy;
    }

    public static Policy policy(Policy.Algorithm algorithm) {
        return new Policy(new Policy.Placement(algorithm, Policy.Return.AT_ONCE),
            new Policy.Daqring(Policy.RingsOn.ALL_SWITCHES, Policy.Backend.DAQRING,
                new DaqringOptions(4096, 4, 33)),
            new Policy.Protection(true, true, 100), Policy.Rules.HOST);
    }

    /** The links with these names down. */
    public static UnusableLinks down(String... links) {
        return new UnusableLinks(Set.copyOf(Arrays.stream(links).map(link -> {
            String[] parts = link.split(":");
            return new PortId(parts[0], parts[1]);
        }).toList()));
    }

    /** A builder of fabrics; what is irregular is drawn from {@code random}. */
    private static final class Shape {
        private final List<Switch> switches = new ArrayList<>();
        private final List<Link> links = new ArrayList<>();
        private String name;
        private Random random = new Random(0);
        /** Number of spines by plane, of ROS by pod, and of DCMs by pod and rack. */
        private int[] spines;
        private int[] ros;
        private int[][] dcms;
        private boolean unevenWeights;
        private boolean unevenCapacities;
        /** Probabilities: that a link is missing, that it has a parallel link, that a switch or link is drained. */
        private double missing;
        private double parallel;
        private double drained;
        private Address lastAddress = Address.parse("10.1.0.0");

        FabricSpec build() {
            List<Plane> planes = new ArrayList<>();
            for (int plane = 1; plane <= spines.length; plane++) {
                planes.add(plane(plane));
            }
            List<Pod> pods = new ArrayList<>();
            for (int pod = 1; pod <= ros.length; pod++) {
                pods.add(pod(pod));
            }
            return new FabricSpec(name, planes, pods, switches, links, POLICY);
        }

        private Plane plane(int plane) {
            List<Spine> spineList = new ArrayList<>();
            for (int spine = 1; spine <= spines[plane - 1]; spine++) {
                spineList.add(new Spine(spine, addSwitch("spine-%d-%d".formatted(plane, spine))));
            }
            List<Leaf> leaves = new ArrayList<>();
            for (int pod = 1; pod <= ros.length; pod++) {
                String leaf = addSwitch("leaf-%d-%d".formatted(plane, pod));
                leaves.add(new Leaf(pod, leaf));
                for (Spine spine : spineList) {
                    addLinks(leaf, "s" + spine.id(), spine.switchName(), "l" + pod);
                }
            }
            return new Plane(plane, spineList, leaves);
        }

        private Pod pod(int pod) {
            List<Ros> rosList = new ArrayList<>();
            for (int index = 1; index <= ros[pod - 1]; index++) {
                String edge = addEdge("ros-%d-%02d".formatted(pod, index), pod, "r" + index);
                rosList.add(new Ros(edge, nextAddress(), edge, weight()));
            }
            List<HltRack> racks = new ArrayList<>();
            for (int index = 1; index <= dcms[pod - 1].length; index++) {
                String edge = addEdge("rack-%d-%02d".formatted(pod, index), pod, "h" + index);
                List<Dcm> list = new ArrayList<>();
                for (int dcm = 1; dcm <= dcms[pod - 1][index - 1]; dcm++) {
                    list.add(new Dcm("dcm-%d-%02d-%03d".formatted(pod, index, dcm), nextAddress(), weight(), Dcm.LOCAL,
                        Optional.empty()));
                }
                racks.add(new HltRack(edge, edge, list));
            }
            return new Pod(pod, rosList, racks);
        }

        private String addEdge(String edge, int pod, String peerPort) {
            addSwitch(edge);
            for (int plane = 1; plane <= spines.length; plane++) {
                addLinks(edge, "p" + plane, "leaf-%d-%d".formatted(plane, pod), peerPort);
            }
            return edge;
        }

        private Address nextAddress() {
            lastAddress = Addresses.plus(lastAddress, 1);
            return lastAddress;
        }

        private double weight() {
            return unevenWeights ? 1 + random.nextInt(4) : 1;
        }

        private String addSwitch(String switchName) {
            AdminState state = random.nextDouble() < drained ? AdminState.DRAINED : AdminState.IN_SERVICE;
            switches.add(new Switch(switchName, switchName, Optional.empty(), "br-daq", DatapathType.NETDEV, state));
            return switchName;
        }

        private void addLinks(String lower, String port, String upper, String peerPort) {
            if (random.nextDouble() < missing) {
                return;
            }
            String suffix = "";
            do {
                AdminState state = random.nextDouble() < drained ? AdminState.DRAINED : AdminState.IN_SERVICE;
                links.add(new Link(new PortId(lower, port + suffix), new PortId(upper, peerPort + suffix), capacity(),
                    state));
                suffix = suffix.isEmpty() ? "b" : "" + (char) (suffix.charAt(0) + 1);
            } while (random.nextDouble() < parallel);
        }

        private double capacity() {
            return unevenCapacities ? new double[] {10, 25, 40}[random.nextInt(3)] : 10;
        }
    }
}
