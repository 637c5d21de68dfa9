package org.daqfabric.impl.controller.links;

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
import org.daqfabric.api.spec.PortId;

/**
 * Which ports were found at the other ends of a fabric's ports, and which links therefore lead elsewhere than declared.
 * What was found holds until the port goes down, so that a corrected cable is judged anew. Belongs to the fabric's
 * event loop, but for {@link #knows}.
 */
public final class Cabling {
    /** Concurrent for {@link #knows} alone. */
    private final Map<Port, Port> found = new ConcurrentHashMap<>();
    /** The sights that were told of each miscabled link. */
    private Map<PortId, List<String>> told = Map.of();

    private long changes;

    /** A port by its OpenFlow number; the switch may be none of the fabric's. */
    private record Port(String switchName, int number) {
    }

    /** Whether this was the last that was found; may be asked from any thread, and spares most events. */
    public boolean knows(String switchName, int port, String peer, int peerPort) {
        return new Port(peer, peerPort).equals(found.get(new Port(switchName, port)));
    }

    public void found(String switchName, int port, String peer, int peerPort) {
        changes++;
        found.put(new Port(switchName, port), new Port(peer, peerPort));
    }

    public void forget(String switchName, int port) {
        changes++;
        found.remove(new Port(switchName, port));
    }

    /** Counts what was found or forgotten. */
    public long changes() {
        return changes;
    }

    /** Whether something else than declared was found from one of a link's ends. */
    public boolean isMiscabled(NumberedLink cable) {
        Port end = end(cable);
        Port peer = peer(cable);
        return leadsElsewhere(end, peer) || leadsElsewhere(peer, end);
    }

    /** Names of the links of which that is so. */
    Set<PortId> miscabled(List<NumberedLink> cables) {
        return cables.stream().filter(this::isMiscabled).map(NumberedLink::end).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those of the cables that {@link #news} was asked about last. */
    Set<PortId> told() {
        return told.keySet();
    }

    private boolean leadsElsewhere(Port port, Port declared) {
        Port peer = found.get(port);
        return peer != null && !peer.equals(declared);
    }

    private static Port end(NumberedLink cable) {
        return new Port(cable.end().switchName(), cable.number());
    }

    private static Port peer(NumberedLink cable) {
        return new Port(cable.peer().switchName(), cable.peerNumber());
    }

    /** What was found at the far end of a link, seen from {@link Link#end()}. */
    public Optional<PortId> peer(NumberedLink cable, PortNumbers numbers) {
        Port peer = found.get(end(cable));
        return peer == null ? Optional.empty()
            : Optional.of(peer.equals(peer(cable)) ? cable.peer() : name(peer, numbers));
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
    List<String> news(List<NumberedLink> cables, PortNumbers numbers) {
        Map<PortId, List<String>> now = new HashMap<>();
        List<String> news = new ArrayList<>();
        for (NumberedLink cable : cables) {
            if (isMiscabled(cable)) {
                List<String> sights = sights(cable, numbers);
                List<String> before = told.get(cable.end());
                boolean known = before != null && sights.containsAll(before);
                now.put(cable.end(), known ? before : sights);
                if (!known) {
                    news.add("link " + cable.end() + " is miscabled: " + String.join("; ", sights)
                        + "; correct the cable or the configuration");
                }
            }
        }
        told = now;
        return news;
    }

    private List<String> sights(NumberedLink cable, PortNumbers numbers) {
        List<String> sights = new ArrayList<>();
        if (leadsElsewhere(end(cable), peer(cable))) {
            sights.add(sight(cable.end(), end(cable), cable.peer(), numbers));
        }
        if (leadsElsewhere(peer(cable), end(cable))) {
            sights.add(sight(cable.peer(), peer(cable), cable.end(), numbers));
        }
        return sights;
    }

    private String sight(PortId port, Port at, PortId declared, PortNumbers numbers) {
        return port + " sees " + name(found.get(at), numbers) + ", expected " + declared;
    }

    /** The numbers of the ports that links have in each switch. */
    public static Map<String, Set<Integer>> ports(List<NumberedLink> cables) {
        Map<String, Set<Integer>> ports = new HashMap<>();
        for (NumberedLink cable : cables) {
            for (Port port : List.of(end(cable), peer(cable))) {
                if (port.number != NumberedLink.NONE) {
                    ports.computeIfAbsent(port.switchName, name -> new TreeSet<>()).add(port.number);
                }
            }
        }
        return ports;
    }
}
