package org.daqfabric.impl.controller;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Which ports were found at the other ends of a fabric's ports, and which links therefore lead elsewhere than declared.
 * What was found holds until the port goes down, so that a corrected cable is judged anew. Belongs to the fabric's
 * event loop, but for {@link #knows}.
 */
final class Cabling {
    /** Concurrent for {@link #knows} alone. */
    private final Map<Port, Port> found = new ConcurrentHashMap<>();
    /** The sights that were told of each miscabled link. */
    private Map<PortId, List<String>> told = Map.of();

    private long changes;

    /** A port by its OpenFlow number; the switch may be none of the fabric's. */
    private record Port(String switchName, int number) {
    }

    /** Whether this was the last that was found; may be asked from any thread, and spares most events. */
    boolean knows(String switchName, int port, String peer, int peerPort) {
        return new Port(peer, peerPort).equals(found.get(new Port(switchName, port)));
    }

    void found(String switchName, int port, String peer, int peerPort) {
        changes++;
        found.put(new Port(switchName, port), new Port(peer, peerPort));
    }

    void forget(String switchName, int port) {
        changes++;
        found.remove(new Port(switchName, port));
    }

    /** Counts what was found or forgotten. */
    long changes() {
        return changes;
    }

    /** Whether something else than declared was found from one of a link's ends. */
    boolean isMiscabled(Link link, PortNumbers numbers) {
        return leadsElsewhere(link.end(), link.peer(), numbers) || leadsElsewhere(link.peer(), link.end(), numbers);
    }

    /** Names of the links of which that is so. */
    Set<PortId> miscabled(Topology topology, PortNumbers numbers) {
        return topology.spec().links().stream().filter(link -> isMiscabled(link, numbers)).map(Link::end)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean leadsElsewhere(PortId port, PortId declared, PortNumbers numbers) {
        Port peer = at(port, numbers);
        return peer != null && !isAt(peer, declared, numbers);
    }

    private Port at(PortId port, PortNumbers numbers) {
        return numbers.of(port).isEmpty() ? null
            : found.get(new Port(port.switchName(), numbers.of(port).getAsInt()));
    }

    private static boolean isAt(Port peer, PortId port, PortNumbers numbers) {
        return peer.switchName.equals(port.switchName()) && numbers.of(port).isPresent()
            && numbers.of(port).getAsInt() == peer.number;
    }

    /** What was found at the far end of a link, seen from {@link Link#end()}. */
    Optional<PortId> peer(Link link, PortNumbers numbers) {
        Port peer = at(link.end(), numbers);
        return peer == null ? Optional.empty()
            : Optional.of(isAt(peer, link.peer(), numbers) ? link.peer() : name(peer, numbers));
    }

    /** By name if the fabric has the port, else by number. */
    private static PortId name(Port port, PortNumbers numbers) {
        String name = numbers.of(port.switchName).entrySet().stream()
            .filter(entry -> entry.getValue() == port.number).map(Map.Entry::getKey).findFirst()
            .orElse(Integer.toString(port.number));
        return new PortId(port.switchName, name);
    }

    /**
     * What is to be told of miscabled links and was not when this was asked last. That the other end sees the same
     * wrong cable is no news.
     */
    List<String> news(Topology topology, PortNumbers numbers) {
        Map<PortId, List<String>> now = new HashMap<>();
        List<String> news = new ArrayList<>();
        for (Link link : topology.spec().links()) {
            if (isMiscabled(link, numbers)) {
                List<String> sights = sights(link, numbers);
                List<String> before = told.get(link.end());
                boolean known = before != null && sights.containsAll(before);
                now.put(link.end(), known ? before : sights);
                if (!known) {
                    news.add("link " + link.end() + " is miscabled: " + String.join("; ", sights)
                        + "; correct the cable or the configuration");
                }
            }
        }
        told = now;
        return news;
    }

    private List<String> sights(Link link, PortNumbers numbers) {
        List<String> sights = new ArrayList<>();
        sight(link.end(), link.peer(), numbers).ifPresent(sights::add);
        sight(link.peer(), link.end(), numbers).ifPresent(sights::add);
        return sights;
    }

    private Optional<String> sight(PortId port, PortId declared, PortNumbers numbers) {
        return leadsElsewhere(port, declared, numbers)
            ? Optional.of(port + " sees " + name(at(port, numbers), numbers) + ", expected " + declared)
            : Optional.empty();
    }

    /** The numbers of the ports that links have in each switch. */
    static Map<String, Set<Integer>> ports(Topology topology, PortNumbers numbers) {
        Map<String, Set<Integer>> ports = new HashMap<>();
        for (Link link : topology.spec().links()) {
            for (PortId port : List.of(link.end(), link.peer())) {
                numbers.of(port).ifPresent(number ->
                    ports.computeIfAbsent(port.switchName(), name -> new TreeSet<>()).add(number));
            }
        }
        return ports;
    }
}
