package org.daqfabric.impl.engine.compile;

import com.google.common.collect.Sets;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.daqfabric.api.placement.Bundle;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The switches whose programs a change of the placement, of the links or of port numbers may change. It may name too
 * many, never too few; a small change names few.
 */
final class ChangedSwitches {
    private final CompileContext before;
    private final CompileContext after;
    private final Topology topology;
    private final Set<String> switches = new HashSet<>();

    private ChangedSwitches(CompileContext before, CompileContext after) {
        this.before = before;
        this.after = after;
        topology = after.topology;
    }

    /** Those that the links alone change; both contexts have the same topology. */
    static Set<String> byLinks(CompileContext before, CompileContext after) {
        ChangedSwitches changed = new ChangedSwitches(before, after);
        changed.addByLinks();
        return changed.switches;
    }

    /**
     * Those that anything changes; all switches if the topology is another object.
     *
     * @param present by switch, names of the ports it had and of those it has
     */
    static Set<String> between(CompileContext before, CompileContext after, Map<String, Set<String>> present) {
        if (before.topology != after.topology) {
            return after.topology.roles().keySet();
        }
        ChangedSwitches changed = new ChangedSwitches(before, after);
        changed.addByPortNumbers(present);
        changed.addByRoutes();
        changed.addByLanes();
        changed.addByLinks();
        return changed.switches;
    }

    /** The number of a port that is not present changes nothing. */
    private void addByPortNumbers(Map<String, Set<String>> present) {
        for (String name : topology.roles().keySet()) {
            Map<String, Integer> old = before.numbers.of(name);
            Map<String, Integer> now = after.numbers.of(name);
            if (!old.equals(now) && present.getOrDefault(name, Set.of()).stream()
                    .anyMatch(port -> !Objects.equals(old.get(port), now.get(port)))) {
                switches.add(name);
            }
        }
    }

    private void addByRoutes() {
        Placement oldPlacement = before.placement;
        Placement newPlacement = after.placement;
        for (Endpoint host : topology.addresses().values()) {
            Route old = oldPlacement.routes().get(host.address());
            Route now = newPlacement.routes().get(host.address());
            if (old == now || old != null && old.equals(now)) {
                continue;
            }
            if (old == null || now == null || !old.planes().equals(now.planes())) {
                addSenders(host);
            }
            addByPods(host, old, now);
            for (int plane : topology.planes()) {
                if (old == null || now == null
                        || !Objects.equals(old.spines().get(plane), now.spines().get(plane))) {
                    switches.addAll(topology.leaves(plane).values());
                }
            }
        }
    }

    /** Adds the switches of pods from which packets take another route than from others, before or after. */
    private void addByPods(Endpoint host, @Nullable Route old, @Nullable Route now) {
        if (old == null || now == null || old.fromPods().equals(now.fromPods())) {
            return;
        }
        for (int pod : Sets.union(old.fromPods().keySet(), now.fromPods().keySet())) {
            Route was = old.from(pod);
            Route is = now.from(pod);
            if (!was.planes().equals(is.planes())) {
                topology.edges().keySet().stream().filter(edge -> topology.podOf(edge) == pod).forEach(switches::add);
            }
            for (int plane : topology.planes()) {
                if (topology.spec().pods().stream().anyMatch(each -> each.id() == pod)
                        && !was.spineChoice(plane).equals(is.spineChoice(plane))) {
                    switches.add(topology.leaf(plane, pod));
                }
            }
        }
    }

    /** Adds the edge switches that send to a host. */
    private void addSenders(Endpoint host) {
        if (host.kind() != Endpoint.Kind.HOST) {
            addEdges(!host.isDcm());
        }
        switches.addAll(topology.others().senders(host.address()));
    }

    /** Adds the switches of all HLT racks, or those of all ROS. */
    private void addEdges(boolean ofRacks) {
        topology.edges().keySet().stream()
            .filter(edge -> ofRacks ? topology.roles().get(edge).buildsEvents()
                : topology.roles().get(edge).sendsFragments()).forEach(switches::add);
    }

    private void addByLanes() {
        Set<Bundle> bundles = new HashSet<>(before.placement.lanes().keySet());
        bundles.addAll(after.placement.lanes().keySet());
        for (Bundle bundle : bundles) {
            Map<Address, PortId> old = before.placement.lanes().get(bundle);
            if (old == null || !old.equals(after.placement.lanes().get(bundle))) {
                switches.add(bundle.lower());
                switches.add(bundle.upper());
            }
        }
    }

    /** Adds both ends of a link that failed or returned, and the switches whose groups depend on remote links. */
    private void addByLinks() {
        if (before.unusable.equals(after.unusable)) {
            return;
        }
        for (Link link : topology.spec().links()) {
            if (before.unusable.down().contains(link.end()) != after.unusable.down().contains(link.end())) {
                switches.add(link.end().switchName());
                switches.add(link.peer().switchName());
                addRemote(link.end().switchName(), link.peer().switchName());
            }
        }
        for (int plane = 0; plane < after.fabric.planes(); plane++) {
            if (connectsOtherPods(plane)) {
                addEdges(true);
                addEdges(false);
                switches.addAll(topology.others().edges());
            }
        }
    }

    /** A leaf depends on all links of its plane's spines, an edge switch on the uplinks of those it sends to. */
    private void addRemote(String end, String peer) {
        Role endRole = topology.roles().get(end);
        Role peerRole = topology.roles().get(peer);
        if (endRole instanceof Role.OfSpine spine) {
            switches.addAll(topology.leaves(spine.plane()).values());
        } else if (peerRole instanceof Role.OfSpine spine) {
            switches.addAll(topology.leaves(spine.plane()).values());
        } else {
            if (endRole.sendsFragments() || peerRole.sendsFragments()) {
                addEdges(true);
            }
            if (endRole.buildsEvents() || peerRole.buildsEvents()) {
                addEdges(false);
            }
            switches.addAll(topology.others().edges());
        }
    }

    /** Whether the plane connects other pairs of pods than before. */
    private boolean connectsOtherPods(int plane) {
        UsableFabric old = before.fabric;
        UsableFabric now = after.fabric;
        for (int from = 0; from < old.pods(); from++) {
            for (int to = 0; to < old.pods(); to++) {
                if (old.leads(plane, from, to) != now.leads(plane, from, to)) {
                    return true;
                }
            }
        }
        return false;
    }
}
