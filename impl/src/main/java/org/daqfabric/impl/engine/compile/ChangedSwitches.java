package org.daqfabric.impl.engine.compile;

import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.daqfabric.api.placement.Bundle;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Which switches a change of a placement, of what is down and of port numbers touches. It names too many rather than too
 * few, but few where little has changed.
 */
final class ChangedSwitches {
    private final Compiler before;
    private final Compiler after;
    private final Map<String, Set<String>> present;
    private final Topology topology;
    private final Set<String> switches = new HashSet<>();

    ChangedSwitches(Compiler before, Compiler after, Map<String, Set<String>> present) {
        this.present = present;
        this.before = before;
        this.after = after;
        topology = after.topology;
    }

    /** Those touched by a change of what is down alone. */
    static Set<String> bySight(Compiler before, Compiler after) {
        ChangedSwitches touched = new ChangedSwitches(before, after, Map.of());
        touched.view();
        return touched.switches;
    }

    Set<String> switches() {
        if (before.topology != topology) {
            return topology.roles().keySet();
        }
        numbers();
        routes();
        lanes();
        view();
        return switches;
    }

    /** A number given to a port that is not there yet, or taken from one that is not, makes no difference. */
    private void numbers() {
        for (String name : topology.roles().keySet()) {
            Map<String, Integer> one = before.numbers.of(name);
            Map<String, Integer> other = after.numbers.of(name);
            if (!one.equals(other) && present.getOrDefault(name, Set.of()).stream()
                    .anyMatch(port -> !Objects.equals(one.get(port), other.get(port)))) {
                switches.add(name);
            }
        }
    }

    private void routes() {
        Placement was = before.placement;
        Placement is = after.placement;
        for (Endpoint host : topology.endpoints().values()) {
            Route one = was.routes().get(host.address());
            Route other = is.routes().get(host.address());
            if (one == other || one != null && one.equals(other)) {
                continue;
            }
            if (one == null || other == null || !one.planes().equals(other.planes())) {
                edges(!host.isDcm());
            }
            for (int plane : topology.planes()) {
                if (one == null || other == null
                        || !Objects.equals(one.spines().get(plane), other.spines().get(plane))) {
                    switches.addAll(topology.leaves(plane).values());
                }
            }
        }
    }

    /** All edge switches with DCMs, or all with ROS. */
    private void edges(boolean withDcms) {
        topology.edges().keySet().stream()
            .filter(edge -> topology.roles().get(edge) instanceof Role.OfRack == withDcms).forEach(switches::add);
    }

    private void lanes() {
        Set<Bundle> bundles = new HashSet<>(before.placement.lanes().keySet());
        bundles.addAll(after.placement.lanes().keySet());
        for (Bundle bundle : bundles) {
            Map<Ipv4, PortId> one = before.placement.lanes().get(bundle);
            if (one == null || !one.equals(after.placement.lanes().get(bundle))) {
                switches.add(bundle.lower());
                switches.add(bundle.upper());
            }
        }
    }

    /** Both ends of a link; and who looks further: leaves at the spines of their plane, edge switches at each other. */
    private void view() {
        if (before.view.equals(after.view)) {
            return;
        }
        for (Link link : topology.spec().links()) {
            if (before.view.down().contains(link.end()) != after.view.down().contains(link.end())) {
                switches.add(link.end().switchName());
                switches.add(link.peer().switchName());
                further(link.end().switchName(), link.peer().switchName());
            }
        }
        for (int plane = 0; plane < after.fabric.planes(); plane++) {
            if (leads(plane)) {
                edges(true);
                edges(false);
            }
        }
    }

    private void further(String one, String other) {
        Role role = topology.roles().get(one);
        Role peer = topology.roles().get(other);
        if (role instanceof Role.OfSpine spine) {
            switches.addAll(topology.leaves(spine.plane()).values());
        } else if (peer instanceof Role.OfSpine spine) {
            switches.addAll(topology.leaves(spine.plane()).values());
        } else {
            edges(role instanceof Role.OfRos || peer instanceof Role.OfRos);
        }
    }

    /** Whether a plane leads from some pod to another before or after, and not both. */
    private boolean leads(int plane) {
        UsableFabric one = before.fabric;
        UsableFabric other = after.fabric;
        for (int from = 0; from < one.pods(); from++) {
            for (int to = 0; to < one.pods(); to++) {
                if (one.leads(plane, from, to) != other.leads(plane, from, to)) {
                    return true;
                }
            }
        }
        return false;
    }
}
