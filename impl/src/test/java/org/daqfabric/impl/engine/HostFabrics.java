package org.daqfabric.impl.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;

/**
 * Fabrics with hosts that are neither ROS nor DCMs: {@code host-POD}, each behind a switch of its own of the same name,
 * and {@code guest-POD}, each on the first rack's node. Their addresses are above those of {@link TestFabrics}.
 */
public final class HostFabrics {
    private HostFabrics() {
    }

    /** A fabric with a host and a guest in every pod, and these flows. */
    public static FabricSpec with(FabricSpec spec, List<Flow> flows) {
        List<Switch> switches = new ArrayList<>(spec.switches());
        List<Link> links = new ArrayList<>(spec.links());
        List<Pod> pods = new ArrayList<>();
        for (Pod pod : spec.pods()) {
            String name = "host-" + pod.id();
            switches.add(new Switch(name, name, Optional.empty(), "br-daq", DatapathType.NETDEV,
                AdminState.IN_SERVICE));
            for (Plane plane : spec.planes()) {
                String leaf = plane.leaves().stream().filter(each -> each.pod() == pod.id()).map(Leaf::switchName)
                    .findFirst().orElseThrow();
                links.add(new Link(new PortId(name, "p" + plane.id()), new PortId(leaf, "x1"), 10,
                    AdminState.IN_SERVICE));
            }
            List<Host> hosts = new ArrayList<>();
            hosts.add(new Host(name, address(spec, "10.9.1." + pod.id()), name, Dcm.LOCAL, Optional.empty()));
            if (!pod.racks().isEmpty()) {
                hosts.add(new Host("guest-" + pod.id(), address(spec, "10.9.2." + pod.id()),
                    pod.racks().get(0).switchName(), Dcm.LOCAL, Optional.empty()));
            }
            pods.add(new Pod(pod.id(), pod.ros(), pod.racks(), hosts));
        }
        return new FabricSpec(spec.name(), spec.planes(), pods, switches, links, spec.policy(), flows);
    }

    /** Of the kind that ROS and DCMs have. */
    private static Address address(FabricSpec spec, String ipv4) {
        Address address = Address.parse(ipv4);
        return spec.pods().stream().flatMap(pod -> pod.racks().stream()).flatMap(rack -> rack.dcms().stream())
            .anyMatch(dcm -> !dcm.address().isIpv4()) ? Addresses.six(address) : address;
    }

    /** The same with random flows between these hosts, and between them and the others. */
    public static FabricSpec with(FabricSpec spec, Random random) {
        FabricSpec without = with(spec, List.of());
        List<String> hosts = without.pods().stream().flatMap(pod -> pod.hosts().stream()).map(Host::name).toList();
        List<String> all = new ArrayList<>(hosts);
        all.add(Flow.ALL_DCMS);
        all.add(Flow.ALL_ROS);
        without.pods().forEach(pod -> pod.racks().stream()
            .filter(rack -> pod.ros().stream().noneMatch(ros -> ros.name().equals(rack.name())))
            .forEach(rack -> all.add(rack.name())));
        List<Flow> flows = new ArrayList<>();
        for (int number = random.nextInt(6); number > 0; number--) {
            String host = hosts.get(random.nextInt(hosts.size()));
            String other = all.get(random.nextInt(all.size()));
            boolean sends = random.nextBoolean();
            boolean share = random.nextInt(3) == 0;
            if (!host.equals(other)) {
                flows.add(new Flow("flow-" + number, sends ? host : other, sends ? other : host,
                    Flow.Kind.values()[random.nextInt(2)], share ? 0 : 0.5, share ? 0.01 : 0));
            }
        }
        return with(spec, flows);
    }
}
