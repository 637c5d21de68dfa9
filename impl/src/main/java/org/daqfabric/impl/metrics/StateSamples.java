package org.daqfabric.impl.metrics;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Role;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.api.state.FabricState.Traffic;

/** Samples of a fabric's state. */
final class StateSamples {
    /** Links in these states are neither up nor down. */
    private static final Set<OperState> WITHOUT_CONDITION = EnumSet.of(OperState.DRAINED, OperState.UNKNOWN);

    private static final double PER_CENT = 100;
    private static final double MILLION = 1e6;

    private StateSamples() {
    }

    static void collect(FabricSpec spec, FabricState state, Samples samples) {
        String fabric = state.fabric();
        for (Phase phase : Phase.values()) {
            samples.add(Family.PHASE, state.phase() == phase ? 1 : 0, fabric, LabelText.of(phase));
        }
        samples.add(Family.GENERATION, state.generation(), fabric);
        switches(state, samples);
        links(spec, state, samples);
        ports(spec, state, samples);
        placement(spec, state, samples);
        samples.add(Family.BANDWIDTH_NOMINAL, LabelText.bytesPerSecond(state.capacity().nominal()), fabric);
        samples.add(Family.BANDWIDTH_ACHIEVABLE, LabelText.bytesPerSecond(state.capacity().bandwidth()), fabric);
    }

    /** How often each DCM has changed plane or spine. */
    static Map<String, Long> moves(FabricState state) {
        return state.placements().stream().collect(Collectors.toMap(DcmPlacement::dcm, DcmPlacement::moves));
    }

    private static void switches(FabricState state, Samples samples) {
        Map<Role, long[]> upAndExpected = new EnumMap<>(Role.class);
        for (SwitchState each : state.switches()) {
            String role = LabelText.of(each.role());
            long[] counts = upAndExpected.computeIfAbsent(each.role(), unused -> new long[2]);
            counts[0] += each.ovsdbConnected() && each.openflowConnected() ? 1 : 0;
            counts[1]++;
            samples.add(Family.SWITCH_CONNECTED, each.ovsdbConnected() ? 1 : 0, state.fabric(), each.name(), role,
                "ovsdb");
            samples.add(Family.SWITCH_CONNECTED, each.openflowConnected() ? 1 : 0, state.fabric(), each.name(), role,
                "openflow");
            samples.add(Family.SWITCH_ERROR, each.lastError().isEmpty() ? 0 : 1, state.fabric(), each.name());
            each.hostDrops().ifPresent(drops -> {
                samples.add(Family.SWITCH_SOCKETS_DROPPED, drops.sockets(), state.fabric(), each.name());
                samples.add(Family.SWITCH_BACKLOGS_DROPPED, drops.backlogs(), state.fabric(), each.name());
            });
        }
        upAndExpected.forEach((role, counts) -> {
            samples.add(Family.SWITCHES_UP, counts[0], state.fabric(), LabelText.of(role));
            samples.add(Family.SWITCHES_EXPECTED, counts[1], state.fabric(), LabelText.of(role));
        });
    }

    private static void links(FabricSpec spec, FabricState state, Samples samples) {
        PortPlanes planes = PortPlanes.of(spec);
        SortedMap<String, List<LinkState>> byPlane = new TreeMap<>(state.links().stream()
            .collect(Collectors.groupingBy(link -> planes.ofLink(link.end()))));
        byPlane.forEach((plane, links) -> {
            Map<Family, Predicate<LinkState>> counted = Map.of(
                Family.LINKS_EXPECTED, link -> link.operState() != OperState.DRAINED,
                Family.LINKS_UP, link -> link.operState() == OperState.UP,
                Family.LINKS_HELD_BACK, LinkState::heldBack,
                Family.LINKS_MISCABLED, link -> link.operState() == OperState.MISCABLED,
                Family.LINKS_UNKNOWN, link -> link.operState() == OperState.UNKNOWN);
            counted.forEach((family, which) ->
                samples.add(family, links.stream().filter(which).count(), state.fabric(), plane));
            links.stream().filter(link -> !WITHOUT_CONDITION.contains(link.operState())).forEach(link ->
                samples.add(Family.LINK_UP, link.operState() == OperState.UP ? 1 : 0, state.fabric(),
                    link.end().switchName(), link.end().port(), plane));
        });
        Map<PortId, PortId> peers = spec.links().stream().collect(Collectors.toMap(Link::end, Link::peer));
        state.links().stream().filter(link -> peers.containsKey(link.end())).forEach(link -> {
            traffic(state.fabric(), link.end(), link.toPeer(), planes, samples);
            traffic(state.fabric(), peers.get(link.end()), link.fromPeer(), planes, samples);
        });
    }

    private static void traffic(String fabric, PortId from, Traffic traffic, PortPlanes planes, Samples samples) {
        String[] labels = { fabric, from.switchName(), from.port(), planes.ofLink(from) };
        samples.add(Family.LINK_PLANNED, LabelText.bytesPerSecond(traffic.planned()), labels);
        traffic.loss().ifPresent(loss -> {
            samples.add(Family.LINK_LOSS, loss.rate() / MILLION, labels);
            samples.add(Family.LINK_LOST, loss.lost(), labels);
        });
    }

    private static void ports(FabricSpec spec, FabricState state, Samples samples) {
        SortedMap<PortId, String> planes = new TreeMap<>(PortPlanes.of(spec).ports());
        spec.pods().forEach(pod -> pod.racks().forEach(rack -> rack.dcms().forEach(dcm ->
            planes.put(new PortId(rack.switchName(), dcm.port()), ""))));
        state.ports().stream().filter(each -> planes.containsKey(each.port())).forEach(each -> {
            String[] labels = { state.fabric(), each.port().switchName(), each.port().port(), planes.get(each.port()) };
            each.speed().ifPresent(gbps -> samples.add(Family.PORT_SPEED, LabelText.bytesPerSecond(gbps), labels));
            samples.add(Family.PORT_FAULT, each.fault().isEmpty() ? 0 : 1, labels);
            each.queues().forEach(queue -> samples.add(Family.QUEUE_BUSY, queue.busy() / PER_CENT, state.fabric(),
                each.port().switchName(), each.port().port(), planes.get(each.port()), LabelText.of(queue.id())));
        });
        // several ports are polled by one thread
        Map<List<String>, Integer> threads = new LinkedHashMap<>();
        state.ports().forEach(each -> each.queues().forEach(queue -> threads.put(List.of(state.fabric(),
            each.port().switchName(), LabelText.of(queue.core()), LabelText.of(queue.numa())), queue.threadBusy())));
        threads.forEach((labels, busy) ->
            samples.add(Family.THREAD_BUSY, busy / PER_CENT, labels.toArray(String[]::new)));
    }

    private static void placement(FabricSpec spec, FabricState state, Samples samples) {
        String fabric = state.fabric();
        int ros = spec.pods().stream().mapToInt(pod -> pod.ros().size()).sum();
        Map<String, Integer> reachableRos = new HashMap<>();
        state.placements().forEach(each -> reachableRos.put(each.dcm(), each.reachableRos()));
        samples.add(Family.DCMS, reachableRos.size(), fabric);
        samples.add(Family.DCMS_WITHOUT_PATH, reachableRos.values().stream()
            .filter(count -> count == 0 && ros > 0).count(),
            fabric);
        samples.add(Family.DCMS_PARTLY_REACHED, reachableRos.values().stream()
            .filter(count -> count > 0 && count < ros).count(),
            fabric);
        state.spines().forEach(spine -> {
            samples.add(Family.SPINE_DCMS, spine.dcms(), fabric, LabelText.of(spine.plane()),
                LabelText.of(spine.spine()));
            samples.add(Family.SPINE_LOAD, spine.load(), fabric, LabelText.of(spine.plane()),
                LabelText.of(spine.spine()));
        });
    }
}
