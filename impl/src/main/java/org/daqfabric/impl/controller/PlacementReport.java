package org.daqfabric.impl.controller;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.PodPlacement;
import org.daqfabric.api.state.FabricState.Proof;
import org.daqfabric.api.state.FabricState.SpineLoad;
import org.daqfabric.impl.controller.rollout.MoveCounter;
import org.daqfabric.impl.engine.capacity.Capacities;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/** What the state tree shows about a placement: DCMs, spines, capacity. */
final class PlacementReport {
    private static final Route NOWHERE = new Route(List.of(), new TreeMap<>());

    private final Topology topology;
    private final Placement placement;
    private final Loads loads;
    private final Capacity capacity;
    private final Map<PortId, Double> planned = new HashMap<>();
    private final Map<Address, Integer> reachable;
    private final List<DcmPlacement> placements;
    private final List<SpineLoad> spines;

    /**
     * Computes the report.
     *
     * @param hostsDown the ports to hosts that carry nothing
     */
    PlacementReport(Topology topology, UnusableLinks unusable, Placement placement, double nominal, MoveCounter moves,
            Set<PortId> hostsDown) {
        this.topology = topology;
        this.placement = placement;
        loads = Loads.of(topology, unusable, placement);
        capacity = Capacities.capacity(loads, nominal);
        loads.bottleneck().ifPresent(fullest -> loads.links()
            .forEach(link -> planned.put(link.from(), link.load() / fullest.relative())));
        reachable = HostReach.of(topology, unusable, placement, loads.reachableRos(), hostsDown);
        placements = listPlacements(moves);
        spines = listSpines();
    }

    Capacity capacity() {
        return capacity;
    }

    /** Gbps on every link in the directions of events when the fullest link is full, by the end that sends. */
    Map<PortId, Double> planned() {
        return planned;
    }

    /** Every DCM, ordered by name. */
    List<DcmPlacement> placements() {
        return placements;
    }

    /** Every spine, ordered by plane and id. */
    List<SpineLoad> spines() {
        return spines;
    }

    private List<DcmPlacement> listPlacements(MoveCounter moves) {
        List<DcmPlacement> listed = new ArrayList<>();
        for (Endpoint host : topology.endpoints().values()) {
            if (host.isDcm()) {
                SpineChoice choice = primary(host);
                int plane = plane(host);
                listed.add(new DcmPlacement(host.name(), plane, choice.spine(),
                    choice.backup() == 0 ? OptionalInt.empty() : OptionalInt.of(choice.backup()),
                    moves.movesOf(host.address()), reachable.getOrDefault(host.address(), 0),
                    fromPods(host), Proof.NONE));
            }
        }
        listed.sort(Comparator.comparing(DcmPlacement::dcm));
        return listed;
    }

    private List<PodPlacement> fromPods(Endpoint host) {
        return route(host).fromPods().entrySet().stream().map(each -> {
            int first = each.getValue().planes().get(0);
            return new PodPlacement(each.getKey(), first,
                each.getKey() == host.pod() ? 0 : each.getValue().spineChoice(first).spine());
        }).toList();
    }

    private List<SpineLoad> listSpines() {
        Map<String, Integer> dcms = new HashMap<>();
        for (Endpoint host : topology.endpoints().values()) {
            if (host.isDcm() && plane(host) != 0 && primary(host).spine() != 0) {
                dcms.merge(topology.spines(plane(host)).get(primary(host).spine()), 1, Integer::sum);
            }
        }
        List<SpineLoad> listed = new ArrayList<>();
        for (int plane : topology.planes()) {
            topology.spines(plane).forEach((spine, name) -> listed.add(new SpineLoad(plane, spine,
                dcms.getOrDefault(name, 0), loads.relativeToBottleneck(name))));
        }
        return listed;
    }

    private int plane(Endpoint host) {
        Route route = route(host);
        return route.planes().isEmpty() ? 0 : route.planes().get(0);
    }

    private SpineChoice primary(Endpoint host) {
        return route(host).spineChoice(plane(host));
    }

    private Route route(Endpoint host) {
        return placement.routes().getOrDefault(host.address(), NOWHERE);
    }
}
