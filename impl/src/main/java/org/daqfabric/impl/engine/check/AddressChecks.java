package org.daqfabric.impl.engine.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.daqfabric.api.program.ProofAddress;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;

/**
 * Every ROS and DCM has a name of its own, and these and other hosts an address of their own; those of ROS and DCMs are
 * of one kind, IPv4 or IPv6. A DCM or host behind a port has a mac, and a mac is behind one port.
 */
final class AddressChecks {
    private record Named(String text, Address address, Location location) {
    }

    private record MacUser(String text, PortId port) {
    }

    private record Prefix(Address first, int length) {
        Prefix(String first, int length) {
            this(Address.parse(first), length);
        }
    }

    /** Of this host or network, loopback, multicast and reserved (RFC 6890, RFC 4291); for IPv6 also of one link. */
    private static final List<Prefix> NOBODYS = List.of(new Prefix("0.0.0.0", 8), new Prefix("127.0.0.0", 8),
        new Prefix("224.0.0.0", 3), new Prefix("::", 8), new Prefix("fe80::", 10), new Prefix("ff00::", 8));

    /** The least that every link must carry (RFC 8200, section 5). */
    private static final int IPV6_MTU = 1280;

    private final Problems problems;
    private final Map<Address, String> addresses = new HashMap<>();
    private final Map<String, Integer> ros = new HashMap<>();
    private final Map<String, String> dcms = new HashMap<>();
    private final Map<Mac, MacUser> macs = new HashMap<>();
    /** Of each kind of address, IPv4 or not, the first ROS or DCM that has it. */
    private final Map<Boolean, Named> exchanging = new HashMap<>();

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
        checks.kinds();
        spec.policy().mtu().ifPresent(mtu -> checks.mtu(mtu, locations.fabric().child("mtu")));
    }

    private void ros(Pod pod, Ros node, Location location) {
        Integer other = ros.putIfAbsent(node.name(), pod.id());
        if (other != null) {
            problems.add(location.child("name"), "ROS '%s' is in pod %d and again in pod %d: rename one of them",
                node.name(), other, pod.id());
        }
        exchanging(node.address(), "ROS '" + node.name() + "'", location.child("address"));
    }

    private void dcm(HltRack rack, Dcm dcm, Location location) {
        String other = dcms.putIfAbsent(dcm.name(), rack.name());
        if (other != null) {
            problems.add(location.child("name"),
                "DCM '%s' is in HLT rack '%s' and again in HLT rack '%s': rename one of them",
                dcm.name(), other, rack.name());
        }
        exchanging(dcm.address(), "DCM '" + dcm.name() + "'", location.child("address"));
        port("DCM '" + dcm.name() + "'", new PortId(rack.switchName(), dcm.port()), dcm.mac(), location);
    }

    private void port(String user, PortId port, Optional<Mac> mac, Location location) {
        if (mac.isEmpty() && !port.port().equals(Dcm.LOCAL)) {
            problems.add(location, "%s is behind port %s and has no mac: add its mac, for there is no ARP, or leave "
                + "the port out if it runs on the switch's own node", user, port);
        }
        mac.ifPresent(each -> mac(each, user, port, location.child("mac")));
    }

    private void exchanging(Address address, String user, Location location) {
        exchanging.putIfAbsent(address.isIpv4(), new Named(user, address, location));
        address(address, user, location);
    }

    /** Every ROS sends to every DCM, and no host can send from one kind of address to the other. */
    private void kinds() {
        if (exchanging.size() > 1) {
            Named six = exchanging.get(false);
            Named four = exchanging.get(true);
            problems.add(six.location(), "%s has IPv6 address %s and %s has IPv4 address %s: give all ROS and DCMs "
                + "addresses of one kind, or they cannot exchange packets", six.text(), six.address(), four.text(),
                four.address());
        }
    }

    private void mtu(int mtu, Location location) {
        addresses.entrySet().stream().filter(each -> mtu < IPV6_MTU && !each.getKey().isIpv4())
            .min(Map.Entry.comparingByKey()).ifPresent(each -> problems.add(location,
                "mtu is %d and %s has IPv6 address %s: IPv6 needs at least %d", mtu, each.getValue(), each.getKey(),
                IPV6_MTU));
    }

    private void address(Address address, String user, Location location) {
        if (NOBODYS.stream().anyMatch(prefix -> address.sharedBits(prefix.first()) >= prefix.length())) {
            problems.add(location, address.isIpv4()
                ? "%s has address %s, which no host can have: give it one below 224.0.0.0 that is neither in 0.0.0.0/8 "
                    + "nor in 127.0.0.0/8"
                : "%s has address %s, which no host can have as its own: give it a unicast address that is not "
                    + "link-local, such as one in fd00::/8", user, address);
        }
        if (address.equals(ProofAddress.to(address))) {
            problems.add(location, "%s has address %s, from which the controller sends the packets that prove paths: "
                + "give it another", user, address);
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
