package org.daqfabric.impl.engine.check;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.PortSettings.Bond;
import org.daqfabric.api.spec.PortSettings.BondMode;
import org.daqfabric.api.spec.PortSettings.Kind;
import org.daqfabric.api.spec.Switch;

/** The settings of ports say what their kind needs and nothing else, and a node has each DPDK device once. */
final class PortSettingsChecks {
    /** Milliseconds within which a bond with LACP must send something (DPDK, Link Bonding, mode 4). */
    private static final int LACP_INTERVAL = 100;

    /** A packet is in a page with 384 bytes before it, of the kernel and Open vSwitch, and its Ethernet header. */
    private static final int AFXDP_MTU = 4096 - 384 - 14;

    private record Device(String systemId, String name) {
    }

    private final Problems problems;
    /** The port that has a device. */
    private final Map<Device, String> devices;
    private final Policy.Protection protection;
    private final OptionalInt mtu;
    private final Map<PortId, Location> locations = new HashMap<>();

    private PortSettingsChecks(FabricSpec spec, Map<Device, String> devices, Problems problems) {
        this.problems = problems;
        this.devices = devices;
        protection = spec.policy().protection();
        mtu = spec.policy().mtu();
        NodeLocations nodes = NodeLocations.of(spec.name());
        for (Link link : spec.links()) {
            locations.putIfAbsent(link.end(), nodes.link(link.end()).child("port-settings"));
            locations.putIfAbsent(link.peer(), nodes.link(link.end()).child("peer-port-settings"));
        }
        for (Pod pod : spec.pods()) {
            for (HltRack rack : pod.racks()) {
                rack.dcms().forEach(dcm -> locations.putIfAbsent(new PortId(rack.switchName(), dcm.port()),
                    nodes.dcm(pod, rack, dcm).child("port-settings")));
            }
        }
    }

    static void check(List<FabricSpec> specs, Problems problems) {
        Map<Device, String> devices = new HashMap<>();
        for (FabricSpec spec : specs) {
            PortSettingsChecks checks = new PortSettingsChecks(spec, devices, problems);
            spec.switches().forEach(sw -> sw.ports().forEach((name, settings) -> {
                PortId port = new PortId(sw.name(), name);
                Location at = checks.locations.get(port);
                if (at != null) {
                    checks.port(sw, port, settings, at);
                    checks.devices(spec.name(), sw, port, settings, at);
                }
            }));
        }
    }

    private void port(Switch sw, PortId port, PortSettings settings, Location at) {
        Kind kind = settings.kind();
        if (port.port().equals(Dcm.LOCAL)) {
            problems.add(at, "port %s is the bridge's own, an interface of the node's kernel: leave out the settings, "
                + "or name the port the DCM is behind", port);
            return;
        }
        if (kind != Kind.SYSTEM && sw.datapathType() != DatapathType.NETDEV) {
            problems.add(at.child("kind"), "port %s is of kind %s, and switch '%s' runs on the kernel's datapath, "
                + "which has none: give the switch the datapath-type netdev", port, text(kind), sw.name());
        }
        if (kind == Kind.DPDK && settings.devargs().isEmpty()) {
            problems.add(at, "port %s is of kind dpdk and has no devargs: add the card's device, such as "
                + "0000:01:00.0 (dpdk-devbind.py --status on the node lists them)", port);
        }
        if (kind == Kind.BOND) {
            bond(port, settings, at);
        }
        if (kind == Kind.AFXDP && mtu.orElse(0) > AFXDP_MTU) {
            problems.add(at.child("kind"), "port %s is of kind afxdp, in which Open vSwitch drops packets above %d "
                + "bytes without a word, and the fabric's mtu is %d: lower the mtu, or give the port another kind",
                port, AFXDP_MTU, mtu.getAsInt());
        }
        surplus(kind == Kind.DPDK, settings.devargs().isPresent(), "devargs", port, kind, at);
        surplus(kind == Kind.BOND, settings.bond().isPresent(), "bond", port, kind, at);
        surplus(kind == Kind.AFXDP, settings.xdpMode().isPresent(), "xdp-mode", port, kind, at);
        surplus(kind != Kind.SYSTEM, settings.rxQueues().isPresent(), "n-rxq", port, kind, at);
        surplus(settings.isDpdk(), settings.rxDescriptors().isPresent(), "n-rxq-desc", port, kind, at);
        surplus(settings.isDpdk(), settings.txDescriptors().isPresent(), "n-txq-desc", port, kind, at);
        settings.rxDescriptors().ifPresent(count -> powerOfTwo(count, "n-rxq-desc", port, at));
        settings.txDescriptors().ifPresent(count -> powerOfTwo(count, "n-txq-desc", port, at));
    }

    private void surplus(boolean fits, boolean given, String leaf, PortId port, Kind kind, Location at) {
        if (given && !fits) {
            problems.add(at.child(leaf), "port %s is of kind %s, for which %s says nothing: remove it, or give the "
                + "port the kind it is for", port, text(kind), leaf);
        }
    }

    private void powerOfTwo(int count, String leaf, PortId port, Location at) {
        if (Integer.bitCount(count) != 1 || count > 4096) {
            problems.add(at.child(leaf), "port %s has %d descriptors: give a power of two, up to 4096", port, count);
        }
    }

    private void bond(PortId port, PortSettings settings, Location at) {
        List<String> members = settings.devices();
        if (members.size() < 2) {
            problems.add(at.child("bond"), "port %s is of kind bond and has %s: name two members at least, or make it "
                + "a port of kind dpdk", port, members.isEmpty() ? "no member" : "one member");
        }
        members.stream().filter(member -> member.contains(",")).findFirst().ifPresent(member -> problems.add(
            at.child("bond"), "member %s of port %s has arguments, which a bond cannot pass on: name the device alone, "
            + "and a virtual one with its arguments in dpdk/extra of the switch", member, port));
        if (settings.bond().map(Bond::mode).orElse(BondMode.ACTIVE_BACKUP) == BondMode.LACP
                && (!protection.bfd() || protection.bfdInterval() >= LACP_INTERVAL)) {
            problems.add(at.child("bond"), "port %s is a bond with LACP, which needs packets every %d ms: set policy "
                + "bfd with a bfd-interval below that, or choose another mode", port, LACP_INTERVAL);
        }
    }

    private void devices(String fabric, Switch sw, PortId port, PortSettings settings, Location at) {
        for (String device : settings.devices()) {
            String user = "port " + port + " of fabric '" + fabric + "'";
            String other = devices.putIfAbsent(new Device(sw.systemId(), identity(device)), user);
            if (other != null) {
                problems.add(settings.kind() == Kind.BOND ? at.child("bond") : at.child("devargs"),
                    "DPDK device %s of node '%s' is used by %s and by %s: a device is one port or one member of a bond,"
                    + " name another for one of them", device, sw.systemId(), other, user);
            }
        }
    }

    /** What is the same for two texts that name one device; arguments may tell apart several ports of one card. */
    private static String identity(String device) {
        int comma = device.indexOf(',');
        boolean severalPorts = device.startsWith("class=") || device.contains("representor=");
        return (comma < 0 || severalPorts ? device : device.substring(0, comma)).toLowerCase(Locale.ROOT);
    }

    private static String text(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
