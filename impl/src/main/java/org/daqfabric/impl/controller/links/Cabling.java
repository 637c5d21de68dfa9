package org.daqfabric.impl.controller.links;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.PortId;

/**
 * The ports that cabling checks found at the other ends of a fabric's ports, and the links that are therefore
 * miscabled. A finding is valid until the port goes down, so that a corrected cable is checked again, or until only
 * frames of others have arrived for some time. Where frames of several ports arrive, as by a mirror, all of them are
 * findings. Belongs to the fabric's event loop, except {@link #isKnown}.
 */
public final class Cabling {
    /** How long a finding lasts while frames of other ports arrive: three frames, and the fourth may be late. */
    static final Duration LASTS = Duration.ofSeconds(16);

    private final InstantSource clock;
    /** When frames of each port last arrived at a port. Concurrent only because of {@link #isKnown}. */
    private final Map<Port, Map<Port, Instant>> found = new ConcurrentHashMap<>();
    /** Without BFD: links that have been down, until frames of ours have arrived at both ends. */
    private Set<PortId> awaited = Set.of();
    private final LogPace pace;
    /** What was last logged about each miscabled link. */
    private Map<PortId, List<String>> logged = Map.of();

    private long revision;

    /** A port by its OpenFlow number; the switch need not be in the fabric. */
    private record Port(String switchName, int number) implements Comparable<Port> {
        @Override
        public int compareTo(Port other) {
            return Comparator.comparing(Port::switchName).thenComparing(Port::number).compare(this, other);
        }
    }

    /**
     * Nothing is found yet.
     *
     * @param clock one that nobody sets
     */
    Cabling(InstantSource clock) {
        this.clock = clock;
        pace = new LogPace(clock);
    }

    /** Whether this is the only finding for the port; may be called on any thread, and saves most events. */
    public boolean isKnown(String switchName, int port, String peer, int peerPort) {
        Map<Port, Instant> peers = found.getOrDefault(new Port(switchName, port), Map.of());
        return peers.size() == 1
            && peers.computeIfPresent(new Port(peer, peerPort), (same, before) -> clock.instant()) != null;
    }

    /** A frame from the peer arrived at the port. */
    public void found(String switchName, int port, String peer, int peerPort) {
        Instant now = clock.instant();
        Map<Port, Instant> peers = found.computeIfAbsent(new Port(switchName, port),
            key -> new ConcurrentSkipListMap<>());
        boolean changed = peers.put(new Port(peer, peerPort), now) == null;
        changed |= peers.values().removeIf(when -> when.isBefore(now.minus(LASTS)));
        revision += changed ? 1 : 0;
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
        return peers(port).stream().anyMatch(peer -> !peer.equals(declared));
    }

    /** The ports whose frames arrive at a port. */
    private Set<Port> peers(Port port) {
        return found.getOrDefault(port, Map.of()).keySet();
    }

    /**
     * Links that must be down because of missing frames, where nothing but carrier tells whether packets pass: those
     * that have been down, until frames have arrived at both ends since.
     *
     * @param links those without BFD
     * @param down links that are down for other reasons
     */
    Set<PortId> awaiting(List<NumberedLink> links, Set<PortId> down) {
        Set<PortId> now = new TreeSet<>();
        for (NumberedLink link : links) {
            boolean waits = awaited.contains(link.end());
            if (down.contains(link.end())) {
                if (!waits) {
                    forget(end(link).switchName, end(link).number);
                    forget(peer(link).switchName, peer(link).number);
                }
                now.add(link.end());
            } else if (waits && (peers(end(link)).isEmpty() || peers(peer(link)).isEmpty())) {
                now.add(link.end());
            }
        }
        awaited = now;
        return now;
    }

    /** What {@link #awaiting} returned last. */
    Set<PortId> awaited() {
        return awaited;
    }

    private static Port end(NumberedLink link) {
        return new Port(link.end().switchName(), link.number());
    }

    private static Port peer(NumberedLink link) {
        return new Port(link.peer().switchName(), link.peerNumber());
    }

    /**
     * The port found at the other end of a link, as {@link Link#end()} receives its frames; of several one that is
     * wrong.
     */
    public Optional<PortId> peer(NumberedLink link, PortNumbers numbers) {
        Set<Port> peers = peers(end(link));
        Optional<Port> wrong = peers.stream().filter(peer -> !peer.equals(peer(link))).findFirst();
        return wrong.map(peer -> name(peer, numbers)).or(() -> peers.stream().findFirst().map(peer -> link.peer()));
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
        messages.removeIf(message -> !pace.allows(message));
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
        return port + " sees " + peers(at).stream().map(peer -> name(peer, numbers).toString())
            .collect(Collectors.joining(" and ")) + ", expected " + (peers(at).size() > 1 ? "only " : "") + declared;
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
