package org.daqfabric.impl.controller.links;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Topology;

/** The states of links, determined from the reports of the switches at both ends. */
final class LinkStates {
    /** How long BFD may take to find its peer after both ends of a link have been created. */
    static final Duration COMING_UP = Duration.ofSeconds(5);

    private final List<NumberedLink> links;
    private final Map<String, SwitchView> switches;

    LinkStates(List<NumberedLink> links, Map<String, SwitchView> switches) {
        this.links = links;
        this.switches = switches;
    }

    /**
     * Links that carry nothing.
     *
     * @param comingUp names of links that are just coming up: placing around them would move everything twice, so they
     *     count as down only without carrier
     */
    Set<PortId> down(Set<PortId> comingUp) {
        Set<PortId> down = new TreeSet<>();
        for (NumberedLink link : links) {
            boolean isComingUp = !comingUp.isEmpty() && comingUp.contains(link.end());
            if (isDown(link.end(), link.number(), isComingUp) || isDown(link.peer(), link.peerNumber(), isComingUp)) {
                down.add(link.end());
            }
        }
        return down;
    }

    /**
     * Switches that are not connected but forward, as their neighbours report. They keep the program that they were
     * sent last.
     */
    Set<String> outOfReach(Topology topology) {
        Set<String> names = new TreeSet<>();
        topology.roles().keySet().stream()
            .filter(name -> !switches.getOrDefault(name, SwitchView.UNKNOWN).openflow())
            .forEach(names::add);
        names.retainAll(names.isEmpty() ? names : forwarding());
        return names;
    }

    /**
     * Switches that have fallen silent for all.
     *
     * @param names those whose neighbours report all links to them as down
     * @param contradicting those that themselves reported a link as up which a neighbour reports as down
     * @param forwarding those to which some neighbour reports the port as up
     */
    record Fallen(Set<String> names, Set<String> contradicting, Set<String> forwarding) {
    }

    /**
     * The switches whose neighbours report all links to them as down at this moment.
     *
     * @param comingUp names of links that are just coming up, which are down only without carrier
     */
    Fallen fallen(Set<PortId> comingUp) {
        Set<String> fallen = new TreeSet<>();
        Set<String> standing = new HashSet<>();
        Set<String> contradicting = new HashSet<>();
        for (NumberedLink link : links) {
            boolean isComingUp = comingUp.contains(link.end());
            boolean end = isDown(link.end(), link.number(), isComingUp);
            boolean peer = isDown(link.peer(), link.peerNumber(), isComingUp);
            String endSwitch = link.end().switchName();
            String peerSwitch = link.peer().switchName();
            // what a switch reported that is not connected may be over: then either end counts
            ((has(link.peer()) ? peer : end || peer) ? fallen : standing).add(endSwitch);
            ((has(link.end()) ? end : end || peer) ? fallen : standing).add(peerSwitch);
            if (peer && isUp(link.end(), link.number())) {
                contradicting.add(endSwitch);
            }
            if (end && isUp(link.peer(), link.peerNumber())) {
                contradicting.add(peerSwitch);
            }
        }
        fallen.removeAll(standing);
        return new Fallen(fallen, contradicting, forwarding());
    }

    /** Whether the switch of a port is connected: what it reports of the port is true now. */
    private boolean has(PortId port) {
        return of(port).openflow();
    }

    /** Switches for which some neighbour reports the port to them as up. */
    private Set<String> forwarding() {
        Set<String> forwarding = new HashSet<>();
        for (NumberedLink link : links) {
            if (isUp(link.peer(), link.peerNumber())) {
                forwarding.add(link.end().switchName());
            }
            if (isUp(link.end(), link.number())) {
                forwarding.add(link.peer().switchName());
            }
        }
        return forwarding;
    }

    /**
     * The candidates whose two ends have not both been reported up by connected switches.
     *
     * @param blocked links that must not be taken into use in any case
     */
    Set<PortId> unproven(Set<PortId> candidates, Set<PortId> blocked) {
        Set<PortId> left = new TreeSet<>();
        for (NumberedLink link : candidates.isEmpty() ? List.<NumberedLink>of() : links) {
            if (candidates.contains(link.end()) && (blocked.contains(link.end())
                    || !isProven(link.end(), link.number()) || !isProven(link.peer(), link.peerNumber()))) {
                left.add(link.end());
            }
        }
        return left;
    }

    /**
     * The links that are still coming up.
     *
     * @param before when both ends of each were first reported; {@link Instant#MAX} before that
     */
    SortedMap<PortId, Instant> comingUp(SortedMap<PortId, Instant> before, Instant now) {
        SortedMap<PortId, Instant> left = new TreeMap<>();
        for (NumberedLink link : before.isEmpty() ? List.<NumberedLink>of() : links) {
            Instant reported = before.get(link.end());
            if (reported == null || isUp(link.end(), link.number()) && isUp(link.peer(), link.peerNumber())) {
                continue;
            }
            if (reported.equals(Instant.MAX) && of(link.end()).isReported(link.number())
                    && of(link.peer()).isReported(link.peerNumber())) {
                reported = now;
            }
            if (reported.equals(Instant.MAX) || now.isBefore(reported.plus(COMING_UP))) {
                left.put(link.end(), reported);
            }
        }
        return left;
    }

    /** The candidates of which OpenFlow has not reported both ends yet. */
    Set<PortId> unreported(Set<PortId> candidates) {
        Set<PortId> left = new TreeSet<>();
        for (NumberedLink link : candidates.isEmpty() ? List.<NumberedLink>of() : links) {
            if (candidates.contains(link.end()) && !(of(link.end()).isReported(link.number())
                    && of(link.peer()).isReported(link.peerNumber()))) {
                left.add(link.end());
            }
        }
        return left;
    }

    private SwitchView of(PortId port) {
        return switches.getOrDefault(port.switchName(), SwitchView.UNKNOWN);
    }

    private boolean isUp(PortId port, int number) {
        return of(port).isUp(port.port(), number);
    }

    private boolean isProven(PortId port, int number) {
        return isUp(port, number) && of(port).openflow();
    }

    private boolean isDown(PortId port, int number, boolean isComingUp) {
        return isComingUp ? of(port).hasFailed(port.port()) : of(port).isDown(port.port(), number);
    }
}
