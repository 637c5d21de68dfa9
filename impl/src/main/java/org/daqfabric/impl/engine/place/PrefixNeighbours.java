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
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Exchanges routes between new DCMs so that neighbours by address use the same planes: then fewer rules to prefixes are
 * needed. Only DCMs of the same rack and weight are interchangeable, so no load changes, before or after any failure.
 */
final class PrefixNeighbours {
    private static final Comparator<Route> BY_PLANES = Comparator.comparing((Route route) -> route.planes().toString())
        .thenComparing(route -> route.spines().toString());

    private record Kind(String edge, double weight) {
    }

    private PrefixNeighbours() {
    }

    static Placement together(Topology topology, Placement placement, Placement previous) {
        Map<Kind, List<Address>> interchangeable = new HashMap<>();
        placement.routes().keySet().stream().filter(address -> !previous.routes().containsKey(address))
            .map(topology.addresses()::get).filter(Endpoint::isDcm).forEach(dcm -> interchangeable.computeIfAbsent(
                new Kind(dcm.edge(), dcm.weight()), key -> new ArrayList<>()).add(dcm.address()));
        // by address the one that takes over its route
        Map<Address, Address> successors = new HashMap<>();
        for (List<Address> addresses : interchangeable.values()) {
            List<Address> sorted = new ArrayList<>(addresses);
            sorted.sort(Comparator.comparing(placement.routes()::get, BY_PLANES));
            for (int i = 0; i < sorted.size(); i++) {
                successors.put(sorted.get(i), addresses.get(i));
            }
        }
        SortedMap<Bundle, SortedMap<Address, PortId>> lanes = new TreeMap<>(placement.lanes());
        lanes.replaceAll((bundle, links) -> exchanged(links, successors));
        return new Placement(exchanged(placement.routes(), successors), lanes);
    }

    private static <T> SortedMap<Address, T> exchanged(SortedMap<Address, T> values, Map<Address, Address> successors) {
        SortedMap<Address, T> exchanged = new TreeMap<>();
        values.forEach((address, value) -> exchanged.put(successors.getOrDefault(address, address), value));
        return exchanged;
    }
}
