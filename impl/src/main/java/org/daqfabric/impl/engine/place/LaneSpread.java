package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Bundle;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Chooses lanes: gives every address one of the parallel links wherever its packets may cross some. These are the links
 * of its own edge switch, of edge switches that send to it by its first or second plane, and of its spine and backup.
 */
final class LaneSpread {
    /** More than any preference: of a spine that is neither the one of a route nor its backup. */
    private static final int UNUSED = 4;

    private final Topology topology;
    private final UsableFabric fabric;
    private final Map<Address, Route> routes;
    private final Placement previous;
    private final boolean keepPrevious;
    private final SortedMap<Bundle, SortedMap<Address, PortId>> lanes = new TreeMap<>();

    /**
     * What sends the packets to an address over a bundle. Each use is spread by itself, so that loads are even among
     * addresses that use the bundle at the same time.
     *
     * @param preference 0 without a failure, more for uses after failures
     */
    private record Use(boolean upwards, boolean event, int preference) implements Comparable<Use> {
        @Override
        public int compareTo(Use other) {
            return toString().compareTo(other.toString());
        }
    }

    LaneSpread(Topology topology, UsableFabric fabric, Map<Address, Route> routes, Placement previous,
            boolean keepPrevious) {
        this.topology = topology;
        this.fabric = fabric;
        this.routes = routes;
        this.previous = previous;
        this.keepPrevious = keepPrevious;
    }

    SortedMap<Bundle, SortedMap<Address, PortId>> lanes() {
        for (int plane = 0; plane < fabric.planes(); plane++) {
            for (int edge = 0; edge < fabric.edges(); edge++) {
                if (fabric.edgeLinks(plane, edge).size() > 1) {
                    spreadEdgeBundle(plane, edge);
                }
            }
            for (int spine = 0; spine < fabric.spines(plane); spine++) {
                for (int pod = 0; pod < fabric.pods(); pod++) {
                    if (fabric.spineLinks(plane, spine, pod).size() > 1) {
                        spreadSpineBundle(plane, spine, pod);
                    }
                }
            }
        }
        return lanes;
    }

    private void spreadEdgeBundle(int plane, int edge) {
        String name = fabric.edgeName(edge);
        int podOfEdge = fabric.podId(fabric.podOfEdge(edge));
        Role role = topology.roles().get(name);
        SortedMap<Use, List<Endpoint>> users = new TreeMap<>();
        routes.forEach((address, route) -> {
            Endpoint host = topology.addresses().get(address);
            int fromHere = route.from(podOfEdge).planes().indexOf(fabric.planeId(plane));
            if (host.edge().equals(name)) {
                routes(route).mapToInt(each -> each.planes().indexOf(fabric.planeId(plane))).filter(at -> at >= 0)
                    .min().ifPresent(at -> add(users, new Use(false, host.isDcm(), Math.min(at, 1)), host));
            } else if (sends(name, role, host) && fromHere >= 0 && fromHere < 2) {
                add(users, new Use(true, host.isDcm(), fromHere), host);
            }
        });
        spread(fabric.edgeLinks(plane, edge), users);
    }

    /** Whether an edge switch sends to a host: fragments, requests or a flow. */
    private boolean sends(String edge, Role role, Endpoint host) {
        return role.sendsTo(host.kind()) || topology.others().peers(edge).contains(host.address());
    }

    private void spreadSpineBundle(int plane, int spine, int pod) {
        int id = fabric.spineId(plane, spine);
        SortedMap<Use, List<Endpoint>> users = new TreeMap<>();
        routes.forEach((address, route) -> {
            Endpoint host = topology.addresses().get(address);
            boolean upwards = host.pod() != fabric.podId(pod);
            (upwards ? Stream.of(route.from(fabric.podId(pod))) : routes(route))
                .mapToInt(each -> preference(each, fabric.planeId(plane), id)).min().ifPresent(preference -> {
                    if (preference < UNUSED) {
                        add(users, new Use(upwards, host.isDcm(), preference), host);
                    }
                });
        });
        spread(fabric.spineLinks(plane, spine, pod), users);
    }

    /** The route of an address and those of packets from some pods. */
    private static Stream<Route> routes(Route route) {
        return Stream.concat(Stream.of(route), route.fromPods().values().stream());
    }

    private static int preference(Route route, int plane, int spine) {
        SpineChoice choice = route.spines().get(plane);
        if (choice == null || choice.spine() != spine && choice.backup() != spine) {
            return UNUSED;
        }
        return (route.planes().get(0) == plane ? 0 : 1) + (choice.spine() == spine ? 0 : 2);
    }

    private static void add(SortedMap<Use, List<Endpoint>> users, Use use, Endpoint host) {
        users.computeIfAbsent(use, key -> new ArrayList<>()).add(host);
    }

    private void spread(List<Segment> links, SortedMap<Use, List<Endpoint>> users) {
        Bundle bundle = new Bundle(links.get(0).lower().switchName(), links.get(0).upper().switchName());
        List<PortId> ids = links.stream().map(Segment::id).toList();
        SortedMap<Address, PortId> before = previous.lanes().getOrDefault(bundle, Collections.emptySortedMap());
        SortedMap<Address, PortId> chosen = lanes.computeIfAbsent(bundle, key -> new TreeMap<>());
        for (List<Endpoint> hosts : users.values()) {
            List<Endpoint> items = hosts.stream().sorted(Endpoint.HEAVIEST_FIRST).toList();
            int[] bins = BinSpread.spread(items.stream().mapToDouble(Endpoint::weight).toArray(),
                links.stream().mapToDouble(Segment::capacity).toArray(),
                items.stream().mapToInt(host -> ids.indexOf(before.get(host.address()))).toArray(), keepPrevious);
            for (int i = 0; i < bins.length; i++) {
                chosen.put(items.get(i).address(), ids.get(bins[i]));
            }
        }
    }
}
