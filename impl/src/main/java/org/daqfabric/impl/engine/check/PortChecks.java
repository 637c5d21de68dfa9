package org.daqfabric.impl.engine.check;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;

/** A port is an end of one link, or leads to one host, and is not the bridge itself. */
final class PortChecks {
    private record PortUser(String text, Optional<Mac> mac, boolean isHost) {
    }

    private final Problems problems;
    private final Map<String, String> bridges;
    private final Map<PortId, PortUser> users = new HashMap<>();

    private PortChecks(FabricSpec spec, Problems problems) {
        this.problems = problems;
        bridges = spec.switches().stream()
            .collect(Collectors.toMap(Switch::name, Switch::bridge, (one, other) -> one));
    }

    static void check(FabricSpec spec, Problems problems) {
        PortChecks checks = new PortChecks(spec, problems);
        NodeLocations locations = NodeLocations.of(spec.name());
        Map<PortId, Link> byEnd = new HashMap<>();
        spec.links().forEach(link -> byEnd.put(link.end(), link));
        for (Link link : spec.links()) {
            if (!LinkChecks.isSecond(link, byEnd)) {
                checks.link(link, link.end(), locations.link(link.end()).child("port"));
                checks.link(link, link.peer(), locations.link(link.end()).child("peer-port"));
            }
        }
        for (Pod pod : spec.pods()) {
            for (HltRack rack : pod.racks()) {
                for (Dcm dcm : rack.dcms()) {
                    checks.host("DCM '" + dcm.name() + "'", new PortId(rack.switchName(), dcm.port()), dcm.mac(),
                        locations.dcm(pod, rack, dcm).child("port"));
                }
            }
            for (Host host : pod.hosts()) {
                checks.host("host '" + host.name() + "'", new PortId(host.switchName(), host.port()), host.mac(),
                    locations.host(pod, host).child("port"));
            }
        }
    }

    private void link(Link link, PortId end, Location location) {
        String text = LinkChecks.text(link);
        if (end.port().equals(Dcm.LOCAL)) {
            problems.add(location, "%s uses the port LOCAL of switch '%s', which is the bridge's own: name the port "
                + "the cable is in", text, end.switchName());
            return;
        }
        bridge(end, text, location, "name the port the cable is in");
        PortUser other = users.putIfAbsent(end, new PortUser(text, Optional.empty(), false));
        if (other != null) {
            problems.add(location, "port %s is used by %s and by %s: a port belongs to one link, name another port for "
                + "one of them", end, other.text(), text);
        }
    }

    /** Checks the port of a DCM or another host. */
    private void host(String text, PortId port, Optional<Mac> mac, Location location) {
        if (port.port().equals(Dcm.LOCAL)) {
            return;
        }
        bridge(port, text, location, "leave the port out if it runs on the switch's own node");
        PortUser other = users.putIfAbsent(port, new PortUser(text, mac, true));
        if (other == null) {
            return;
        }
        if (!other.isHost()) {
            problems.add(location, "port %s is used by %s and by %s: a port with a link leads to no host, name the "
                + "port it is behind", port, other.text(), text);
        } else if (!other.mac().equals(mac)) {
            problems.add(location, "port %s is used by %s and by %s with different mac: one host is behind a port, "
                + "name another port for one of them or give both the same mac", port, other.text(), text);
        }
    }

    private void bridge(PortId port, String user, Location location, String advice) {
        if (port.port().equals(bridges.get(port.switchName()))) {
            problems.add(location, "%s uses port %s, which is the bridge itself: %s", user, port, advice);
        }
    }
}
