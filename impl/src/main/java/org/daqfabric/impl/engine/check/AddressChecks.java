package org.daqfabric.impl.engine.check;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;

/**
 * Every ROS and DCM has a name of its own, and these and other hosts an IPv4 address of their own; a DCM or host behind
 * a port has a mac, and a mac is behind one port.
 */
final class AddressChecks {
    private record MacUser(String text, PortId port) {
    }

    private final Problems problems;
    private final Map<Ipv4, String> addresses = new HashMap<>();
    private final Map<String, Integer> ros = new HashMap<>();
    private final Map<String, String> dcms = new HashMap<>();
    private final Map<Mac, MacUser> macs = new HashMap<>();

    private AddressChecks(Problems problems) {
        this.problems = problems;
    }

    static void check(FabricSpec spec, Problems problems) {
        AddressChecks checks = new AddressChecks(problems);
        NodeLocations locations = NodeLocations.of(spec.name());
        for (Pod pod : spec.pods()) {
            for (Ros ros : pod.ros()) {
                checks.ros(pod, ros, locations.ros(pod, ros));
            }
            for (HltRack rack : pod.racks()) {
                for (Dcm dcm : rack.dcms()) {
                    checks.dcm(rack, dcm, locations.dcm(pod, rack, dcm));
                }
            }
            for (Host host : pod.hosts()) {
                Location location = locations.host(pod, host);
                checks.address(host.address(), "host '" + host.name() + "'", location.child("address"));
                checks.port("host '" + host.name() + "'", new PortId(host.switchName(), host.port()), host.mac(),
                    location);
            }
        }
    }

    private void ros(Pod pod, Ros node, Location location) {
        Integer other = ros.putIfAbsent(node.name(), pod.id());
        if (other != null) {
            problems.add(location.child("name"), "ROS '%s' is in pod %d and again in pod %d: rename one of them",
                node.name(), other, pod.id());
        }
        address(node.address(), "ROS '" + node.name() + "'", location.child("address"));
    }

    private void dcm(HltRack rack, Dcm dcm, Location location) {
        String other = dcms.putIfAbsent(dcm.name(), rack.name());
        if (other != null) {
            problems.add(location.child("name"),
                "DCM '%s' is in HLT rack '%s' and again in HLT rack '%s': rename one of them",
                dcm.name(), other, rack.name());
        }
        address(dcm.address(), "DCM '" + dcm.name() + "'", location.child("address"));
        port("DCM '" + dcm.name() + "'", new PortId(rack.switchName(), dcm.port()), dcm.mac(), location);
    }

    private void port(String user, PortId port, Optional<Mac> mac, Location location) {
        if (mac.isEmpty() && !port.port().equals(Dcm.LOCAL)) {
            problems.add(location, "%s is behind port %s and has no mac: add its mac, for there is no ARP, or leave "
                + "the port out if it runs on the switch's own node", user, port);
        }
        mac.ifPresent(each -> mac(each, user, port, location.child("mac")));
    }

    private void address(Ipv4 address, String user, Location location) {
        int first = address.bits() >>> 24;
        if (first == 0 || first == 127 || first >= 224) {
            problems.add(location, "%s has address %s, which no host can have: give it one below 224.0.0.0 that is "
                + "neither in 0.0.0.0/8 nor in 127.0.0.0/8", user, address);
        }
        String other = addresses.putIfAbsent(address, user);
        if (other != null) {
            problems.add(location, "address %s is used by %s and by %s: give one of them another", address, other,
                user);
        }
    }

    private void mac(Mac mac, String user, PortId port, Location location) {
        if (mac.bits() == 0 || (mac.bits() >>> 40 & 1) == 1) {
            problems.add(location, "%s has mac %s, which is no host's own: give it the address of its network "
                + "interface", user, mac);
        }
        MacUser other = macs.putIfAbsent(mac, new MacUser(user, port));
        if (other != null && !other.port().equals(port)) {
            problems.add(location, "mac %s is used by %s behind port %s and by %s behind port %s: give one of them "
                + "another", mac, other.text(), other.port(), user, port);
        }
    }
}
