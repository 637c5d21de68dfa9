package org.daqfabric.impl.engine.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.DpdkSettings;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.spec.Switch.OvsdbAddress;

/**
 * Rules for the nodes that switches run on, within a fabric and across all: a bridge of a node is one switch, a node
 * has one OVSDB server and no other node has it, and a port, whose name is unique on a node, is on one bridge.
 */
final class NodeChecks {
    private record Bridge(String systemId, String name) {
    }

    private record NodePort(String systemId, String name) {
    }

    private record SwitchInFabric(String fabric, Switch sw) {
        /** This switch as a message about a switch of another fabric names it. */
        String text(String otherFabric) {
            return "switch '" + sw.name() + "'" + (fabric.equals(otherFabric) ? "" : " of fabric '" + fabric + "'");
        }

        Location location() {
            return NodeLocations.of(fabric).switchNamed(sw.name());
        }
    }

    private final Problems problems;
    private final Map<Bridge, SwitchInFabric> bridges = new HashMap<>();
    private final Map<OvsdbAddress, SwitchInFabric> servers = new HashMap<>();
    /** By system-id, a switch that names the node's OVSDB server. */
    private final Map<String, SwitchInFabric> dialled = new HashMap<>();
    /** The first switch of a node that names its certificate, by system-id. */
    private final Map<String, SwitchInFabric> certificates = new HashMap<>();
    private final Map<NodePort, SwitchInFabric> ports = new HashMap<>();
    /** By system-id, a switch that says what the node needs for ports that are polled. */
    private final Map<String, SwitchInFabric> dpdk = new HashMap<>();

    private NodeChecks(Problems problems) {
        this.problems = problems;
    }

    static void check(List<FabricSpec> specs, Problems problems) {
        NodeChecks checks = new NodeChecks(problems);
        for (FabricSpec spec : specs) {
            spec.switches().forEach(sw -> checks.node(new SwitchInFabric(spec.name(), sw)));
        }
        specs.forEach(checks::ports);
    }

    private void node(SwitchInFabric at) {
        Switch sw = at.sw();
        if (sw.systemId().isBlank()) {
            problems.add(at.location().child("system-id"), "switch '%s' has an empty system-id: give the node's "
                + "external_ids:system-id, or leave it out if that is the switch's name", sw.name());
            return;
        }
        SwitchInFabric other = bridges.putIfAbsent(new Bridge(sw.systemId(), sw.bridge()), at);
        if (other != null) {
            problems.add(at.location(), "switch '%s' and %s are both bridge '%s' of the node with system-id '%s': give "
                + "one of them another bridge or system-id", sw.name(), other.text(at.fabric()), sw.bridge(),
                sw.systemId());
        }
        if (!sw.dpdk().equals(DpdkSettings.NONE)) {
            dpdk(at);
        }
        sw.certificateName().ifPresent(certified -> {
            SwitchInFabric neighbour = certificates.putIfAbsent(sw.systemId(), at);
            if (neighbour != null && !neighbour.sw().certificateName().equals(sw.certificateName())) {
                problems.add(at.location().child("certificate-name"), "switch '%s' has the certificate-name '%s' and "
                    + "%s, on the same node (system-id '%s'), '%s': a node has one certificate; give both the same, or "
                    + "leave it out at one of them", sw.name(), certified, neighbour.text(at.fabric()), sw.systemId(),
                    neighbour.sw().certificateName().orElseThrow());
            }
        });
        sw.ovsdbAddress().ifPresent(address -> {
            SwitchInFabric neighbour = dialled.putIfAbsent(sw.systemId(), at);
            if (neighbour != null && !neighbour.sw().ovsdbAddress().equals(sw.ovsdbAddress())) {
                differ(at, neighbour);
                differ(neighbour, at);
            }
            SwitchInFabric server = servers.putIfAbsent(address, at);
            if (server != null && !server.sw().systemId().equals(sw.systemId())) {
                problems.add(at.location().child("ovsdb-address"),
                    "switch '%s' (system-id '%s') and %s (system-id '%s') "
                    + "have the same OVSDB server %s:%d: correct the address or the system-id of one of them",
                    sw.name(), sw.systemId(), server.text(at.fabric()), server.sw().systemId(), address.host(),
                    address.port());
            }
        });
    }

    private void dpdk(SwitchInFabric at) {
        Location location = at.location().child("dpdk");
        SwitchInFabric other = dpdk.putIfAbsent(at.sw().systemId(), at);
        if (other != null && !other.sw().dpdk().equals(at.sw().dpdk())) {
            problems.add(location, "switch '%s' has another dpdk than %s on the same node (system-id '%s'), which has "
                + "one Open vSwitch: give both the same, or leave it out at one of them", at.sw().name(),
                other.text(at.fabric()), at.sw().systemId());
        }
        cpus(at.sw().dpdk().pmdCpus(), "pmd-cpus", at, location);
        cpus(at.sw().dpdk().lcoreCpus(), "lcore-cpus", at, location);
    }

    private void cpus(Optional<String> list, String leaf, SwitchInFabric at, Location location) {
        list.ifPresent(cpus -> {
            try {
                DpdkSettings.mask(cpus);
            } catch (IllegalArgumentException e) {
                problems.add(location.child(leaf), "switch '%s' has %s that cannot be: %s", at.sw().name(), leaf,
                    e.getMessage());
            }
        });
    }

    private void differ(SwitchInFabric at, SwitchInFabric other) {
        OvsdbAddress address = at.sw().ovsdbAddress().orElseThrow();
        OvsdbAddress another = other.sw().ovsdbAddress().orElseThrow();
        problems.add(at.location().child("ovsdb-address"), "switch '%s' has the OVSDB server %s:%d and %s, on the same "
            + "node (system-id '%s'), %s:%d: give both the same address, or leave it out at one of them",
            at.sw().name(), address.host(), address.port(), other.text(at.fabric()), at.sw().systemId(),
            another.host(), another.port());
    }

    private void ports(FabricSpec spec) {
        Map<String, Switch> switches = new HashMap<>();
        spec.switches().forEach(sw -> switches.put(sw.name(), sw));
        TreeSet<PortId> declared = new TreeSet<>();
        for (Link link : spec.links()) {
            declared.add(link.end());
            declared.add(link.peer());
        }
        for (Pod pod : spec.pods()) {
            for (HltRack rack : pod.racks()) {
                for (Dcm dcm : rack.dcms()) {
                    declared.add(new PortId(rack.switchName(), dcm.port()));
                }
            }
        }
        for (PortId port : declared) {
            Switch sw = switches.get(port.switchName());
            if (sw != null && !port.port().equals(Dcm.LOCAL)) {
                port(new SwitchInFabric(spec.name(), sw), port);
            }
        }
    }

    private void port(SwitchInFabric at, PortId port) {
        Switch sw = at.sw();
        SwitchInFabric other = ports.putIfAbsent(new NodePort(sw.systemId(), port.port()), at);
        if (other != null && !other.sw().bridge().equals(sw.bridge())) {
            problems.add(at.location(), "port '%s' of switch '%s' is also a port of %s on the same node (system-id "
                + "'%s'): a port is on one bridge, name another port for one of them", port.port(), sw.name(),
                other.text(at.fabric()), sw.systemId());
        }
    }
}
