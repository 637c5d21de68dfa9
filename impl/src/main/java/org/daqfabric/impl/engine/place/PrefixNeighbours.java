package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Bundle;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Lets DCMs that are new and stand for each other, as they have the same rack and the same weight, change routes so that
 * neighbours go by the same planes: rules to prefixes are fewer then. No load is another, before or after any failure.
 */
final class PrefixNeighbours {
    private static final Comparator<Route> BY_PLANES = Comparator.comparing((Route route) -> route.planes().toString())
        .thenComparing(route -> route.spines().toString());

    private record Alike(String edge, double weight) {
    }

    private PrefixNeighbours() {
    }

    static Placement together(Topology topology, Placement placement, Placement previous) {
        Map<Alike, List<Ipv4>> alike = new HashMap<>();
        placement.routes().keySet().stream().filter(address -> !previous.routes().containsKey(address))
            .map(topology.endpoints()::get).filter(Endpoint::isDcm).forEach(dcm -> alike.computeIfAbsent(
                new Alike(dcm.edge(), dcm.weight()), any -> new ArrayList<>()).add(dcm.address()));
        Map<Ipv4, Ipv4> taking = new HashMap<>();
        for (List<Ipv4> addresses : alike.values()) {
            List<Ipv4> sorted = new ArrayList<>(addresses);
            sorted.sort(Comparator.comparing(placement.routes()::get, BY_PLANES));
            for (int i = 0; i < sorted.size(); i++) {
                taking.put(sorted.get(i), addresses.get(i));
            }
        }
        SortedMap<Bundle, SortedMap<Ipv4, PortId>> lanes = new TreeMap<>(placement.lanes());
        lanes.replaceAll((bundle, links) -> changed(links, taking));
        return new Placement(changed(placement.routes(), taking), lanes);
    }

    private static <T> SortedMap<Ipv4, T> changed(SortedMap<Ipv4, T> values, Map<Ipv4, Ipv4> taking) {
        SortedMap<Ipv4, T> changed = new TreeMap<>();
        values.forEach((address, value) -> changed.put(taking.getOrDefault(address, address), value));
        return changed;
    }
}
