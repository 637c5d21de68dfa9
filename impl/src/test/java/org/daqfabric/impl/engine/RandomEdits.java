package org.daqfabric.impl.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Switch;

/**
 * Random edits that leave switches and links where they are: of the policy, capacities, weights, addresses, of the rack
 * of a DCM, and of the address at which a node's OVSDB server listens.
 *
 * @param text what changes, in words
 * @param how changes it, in any configuration with the same hosts
 */
public record RandomEdits(String text, UnaryOperator<FabricSpec> how) {
    /** One edit; its text is empty if the fabric has not what it would change. */
    public static RandomEdits of(FabricSpec spec, Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> policy(random);
            case 1 -> capacity(spec, random);
            case 2 -> weight(spec, random);
            case 3, 4 -> addresses(spec, random);
            case 5, 6 -> move(spec, random);
            default -> dialled(spec, random);
        };
    }

    private static RandomEdits none() {
        return new RandomEdits("", spec -> spec);
    }

    private static RandomEdits policy(Random random) {
        int what = random.nextInt(4);
        Policy.RingsOn rings = any(List.of(Policy.RingsOn.values()), random);
        int ringSize = 1024 << random.nextInt(3);
        return new RandomEdits("policy " + what + ", rings " + rings + " of " + ringSize, spec -> {
            Policy old = spec.policy();
            return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), spec.links(), new Policy(
                what != 0 ? old.placement() : new Policy.Placement(
                    old.placement().algorithm() == Policy.Algorithm.WATERFILLING ? Policy.Algorithm.ROUND_ROBIN
                        : Policy.Algorithm.WATERFILLING, old.placement().onReturn()),
                what != 1 ? old.daqring() : new Policy.Daqring(rings, old.daqring().backend(),
                    new DaqringOptions(ringSize, old.daqring().options().maxBurst(),
                    old.daqring().options().pollingInterval()), old.daqring().ofDcms()),
                what != 2 ? old.protection() : new Policy.Protection(!old.protection().fastFailover(),
                    old.protection().bfd(), old.protection().bfdInterval()),
                what != 3 ? old.rules() : old.rules() == Policy.Rules.HOST ? Policy.Rules.COMPRESSED
                    : Policy.Rules.HOST, old.mtu()));
        });
    }

    private static RandomEdits capacity(FabricSpec spec, Random random) {
        PortId changed = any(spec.links(), random).end();
        double capacity = any(List.of(10.0, 25.0, 40.0), random);
        return new RandomEdits("capacity of " + changed + " " + capacity, each -> new FabricSpec(each.name(),
            each.planes(), each.pods(), each.switches(), each.links().stream().map(link ->
                !link.end().equals(changed) ? link : new Link(link.end(), link.peer(), capacity, link.adminState()))
                .toList(), each.policy()));
    }

    private static RandomEdits weight(FabricSpec spec, Random random) {
        String changed = any(List.copyOf(addresses(spec).keySet()), random);
        double weight = 1 + random.nextInt(4);
        return new RandomEdits("weight of " + changed + " " + weight, each -> hosts(each,
            ros -> !ros.name().equals(changed) ? ros
                : new Ros(ros.name(), ros.address(), ros.switchName(), weight),
            dcm -> !dcm.name().equals(changed) ? dcm
                : new Dcm(dcm.name(), dcm.address(), weight, dcm.port(), dcm.mac())));
    }

    /** A host gets another address, or exchanges its address with another host. */
    private static RandomEdits addresses(FabricSpec spec, Random random) {
        Map<String, Address> all = addresses(spec);
        List<String> names = List.copyOf(all.keySet());
        String one = any(names, random);
        String other = any(names, random);
        Map<String, Address> after;
        if (random.nextBoolean() && !one.equals(other)) {
            after = Map.of(one, all.get(other), other, all.get(one));
        } else {
            Address unused;
            do {
                unused = new Address(all.get(one).high(), all.get(one).low() & ~0xff | random.nextInt(256));
            } while (all.containsValue(unused));
            after = Map.of(one, unused);
        }
        return new RandomEdits("addresses " + after, each -> hosts(each,
            ros -> !after.containsKey(ros.name()) ? ros
                : new Ros(ros.name(), after.get(ros.name()), ros.switchName(), ros.fragmentWeight()),
            dcm -> !after.containsKey(dcm.name()) ? dcm
                : new Dcm(dcm.name(), after.get(dcm.name()), dcm.weight(), dcm.port(), dcm.mac())));
    }

    /** A DCM moves to another rack, with its address. */
    private static RandomEdits move(FabricSpec spec, Random random) {
        List<HltRack> racks = spec.pods().stream().flatMap(pod -> pod.racks().stream()).toList();
        List<HltRack> filled = racks.stream().filter(rack -> rack.dcms().size() > 1).toList();
        if (filled.isEmpty() || racks.size() < 2) {
            return none();
        }
        Dcm moved = any(any(filled, random).dcms(), random);
        String to = any(racks, random).switchName();
        return new RandomEdits(moved.name() + " to " + to, each -> new FabricSpec(each.name(), each.planes(),
            each.pods().stream().map(pod -> new Pod(pod.id(), pod.ros(), pod.racks().stream().map(rack -> {
                List<Dcm> dcms = new ArrayList<>(rack.dcms());
                dcms.removeIf(dcm -> dcm.name().equals(moved.name()));
                if (rack.switchName().equals(to)) {
                    Optional<Dcm> now = each.pods().stream().flatMap(any -> any.racks().stream())
                        .flatMap(any -> any.dcms().stream()).filter(dcm -> dcm.name().equals(moved.name())).findFirst();
                    now.ifPresent(dcms::add);
                }
                return new HltRack(rack.name(), rack.switchName(), dcms);
            }).toList())).toList(), each.switches(), each.links(), each.policy()));
    }

    private static RandomEdits dialled(FabricSpec spec, Random random) {
        String node = any(spec.switches(), random).systemId();
        Optional<Switch.OvsdbAddress> address = Optional.of(new Switch.OvsdbAddress("10.9.9." + random.nextInt(100),
            6640));
        return new RandomEdits(node + " listens at " + address, each -> new FabricSpec(each.name(), each.planes(),
            each.pods(), each.switches().stream().map(sw -> !sw.systemId().equals(node) ? sw : new Switch(sw.name(),
                sw.systemId(), address, sw.bridge(), sw.datapathType(), sw.adminState(), sw.ports(), sw.dpdk(),
                sw.certificateName())).toList(), each.links(), each.policy()));
    }

    private static Map<String, Address> addresses(FabricSpec spec) {
        return spec.pods().stream().flatMap(pod -> Stream.concat(
            pod.ros().stream().map(ros -> Map.entry(ros.name(), ros.address())),
            pod.racks().stream().flatMap(rack -> rack.dcms().stream())
                .map(dcm -> Map.entry(dcm.name(), dcm.address()))))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static FabricSpec hosts(FabricSpec spec, UnaryOperator<Ros> ofRos, UnaryOperator<Dcm> ofDcm) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods().stream().map(pod -> new Pod(pod.id(),
            pod.ros().stream().map(ofRos).toList(), pod.racks().stream().map(rack -> new HltRack(rack.name(),
                rack.switchName(), rack.dcms().stream().map(ofDcm).toList())).toList())).toList(),
            spec.switches(), spec.links(), spec.policy());
    }

    private static <T> T any(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }
}
