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
 * The ports that cabling checks found at the other ends of a fabric's ports, and the links that are therefore
 * miscabled. A finding is valid until the port goes down, so that a corrected cable is checked again. Belongs to the
 * fabric's event loop, except {@link #isKnown}.
 */
public final class Cabling {
    /** Concurrent only because of {@link #isKnown}. */
    private final Map<Port, Port> found = new ConcurrentHashMap<>();
    /** What was last logged about each miscabled link. */
    private Map<PortId, List<String>> logged = Map.of();

    private long revision;

    /** A port by its OpenFlow number; the switch need not be in the fabric. */
    private record Port(String switchName, int number) {
    }

    /** Whether this is the last finding for the port; may be called on any thread, and saves most events. */
    public boolean isKnown(String switchName, int port, String peer, int peerPort) {
        return new Port(peer, peerPort).equals(found.get(new Port(switchName, port)));
    }

    /** A frame from the peer arrived at the port. */
    public void found(String switchName, int port, String peer, int peerPort) {
        revision++;
        found.put(new Port(switchName, port), new Port(peer, peerPort));
    }

    /** The port is down: what was found at its other end is no longer valid. */
    public void forget(String switchName, int port) {
        revision++;
        found.remove(new Port(switchName, port));
    }

    /** Revision of the findings. */
    public long revision() {
        return revision;
    }

    /** Whether a port other than the declared one was found at either end of a link. */
    public boolean isMiscabled(NumberedLink link) {
        Port end = end(link);
        Port peer = peer(link);
        return isWrong(end, peer) || isWrong(peer, end);
    }

    /** Names of the links that are miscabled. */
    Set<PortId> miscabled(List<NumberedLink> links) {
        return links.stream().filter(this::isMiscabled).map(NumberedLink::end)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The miscabled links among those that {@link #newFindings} was last called with. */
    Set<PortId> lastMiscabled() {
        return logged.keySet();
    }

    private boolean isWrong(Port port, Port declared) {
        Port peer = found.get(port);
        return peer != null && !peer.equals(declared);
    }

    private static Port end(NumberedLink link) {
        return new Port(link.end().switchName(), link.number());
    }

    private static Port peer(NumberedLink link) {
        return new Port(link.peer().switchName(), link.peerNumber());
    }

    /** The port found at the other end of a link, as {@link Link#end()} receives its frames. */
    public Optional<PortId> peer(NumberedLink link, PortNumbers numbers) {
        Port peer = found.get(end(link));
        return peer == null ? Optional.empty()
            : Optional.of(peer.equals(peer(link)) ? link.peer() : name(peer, numbers));
    }

    /** By name if the fabric has the port, otherwise by number. */
    private static PortId name(Port port, PortNumbers numbers) {
        String name = numbers.of(port.switchName).entrySet().stream()
            .filter(entry -> entry.getValue() == port.number).map(Map.Entry::getKey).findFirst()
            .orElse(Integer.toString(port.number));
        return new PortId(port.switchName, name);
    }

    /**
     * Messages about links that have become miscabled since the last call. If the other end reports the same wrong
     * cable, that is not another message.
     */
    List<String> newFindings(List<NumberedLink> links, PortNumbers numbers) {
        Map<PortId, List<String>> now = new HashMap<>();
        List<String> messages = new ArrayList<>();
        for (NumberedLink link : links) {
            if (isMiscabled(link)) {
                List<String> findings = findings(link, numbers);
                List<String> before = logged.get(link.end());
                boolean known = before != null && findings.containsAll(before);
                now.put(link.end(), known ? before : findings);
                if (!known) {
                    messages.add("link " + link.end() + " is miscabled: " + String.join("; ", findings)
                        + "; correct the cable or the configuration");
                }
            }
        }
        logged = now;
        return messages;
    }

    private List<String> findings(NumberedLink link, PortNumbers numbers) {
        List<String> findings = new ArrayList<>();
        if (isWrong(end(link), peer(link))) {
            findings.add(finding(link.end(), end(link), link.peer(), numbers));
        }
        if (isWrong(peer(link), end(link))) {
            findings.add(finding(link.peer(), peer(link), link.end(), numbers));
        }
        return findings;
    }

    private String finding(PortId port, Port at, PortId declared, PortNumbers numbers) {
        return port + " sees " + name(found.get(at), numbers) + ", expected " + declared;
    }

    /** The numbers of the ports that links have in each switch. */
    public static Map<String, Set<Integer>> ports(List<NumberedLink> links) {
        Map<String, Set<Integer>> ports = new HashMap<>();
        for (NumberedLink link : links) {
            for (Port port : List.of(end(link), peer(link))) {
                if (port.number != NumberedLink.NONE) {
                    ports.computeIfAbsent(port.switchName, name -> new TreeSet<>()).add(port.number);
                }
            }
        }
        return ports;
    }
}
