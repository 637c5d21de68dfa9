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

/** The state of the links, judged by what the switches at both ends report. */
final class LinkStates {
    /** How long BFD may take to find its peer when both ends of a link have just been created. */
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
     * @param comingUp names of links that are just coming up: placing everything around them would only move it twice, so
     *     they count as down only without carrier
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
     * Switches that forward, as their neighbours see, and are not connected. They keep the program that they were sent
     * last.
     */
    Set<String> outOfReach(Topology topology) {
        Set<String> names = new TreeSet<>();
        topology.roles().keySet().stream()
            .filter(name -> !switches.getOrDefault(name, SwitchView.UNSEEN).openflow())
            .forEach(names::add);
        names.retainAll(names.isEmpty() ? names : alive());
        return names;
    }

    /** Switches to which some neighbour's port is up. */
    private Set<String> alive() {
        Set<String> alive = new HashSet<>();
        for (NumberedLink link : links) {
            if (isUp(link.peer(), link.peerNumber())) {
                alive.add(link.end().switchName());
            }
            if (isUp(link.end(), link.number())) {
                alive.add(link.peer().switchName());
            }
        }
        return alive;
    }

    /**
     * The candidates whose two ends have not both been reported up by connected switches.
     *
     * @param frozen links that must not be taken into use anyway
     */
    Set<PortId> unproven(Set<PortId> candidates, Set<PortId> frozen) {
        Set<PortId> left = new TreeSet<>();
        for (NumberedLink link : candidates.isEmpty() ? List.<NumberedLink>of() : links) {
            if (candidates.contains(link.end()) && (frozen.contains(link.end())
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

    private SwitchView of(PortId port) {
        return switches.getOrDefault(port.switchName(), SwitchView.UNSEEN);
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
