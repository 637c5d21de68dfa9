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

/** What is known of the links, judged by their two ends. */
final class LinkStates {
    /** How long BFD may take to find its peer when both ends of a link have just been made. */
    static final Duration YOUTH = Duration.ofSeconds(5);

    private final List<NumberedLink> cables;
    private final Map<String, SwitchView> switches;

    LinkStates(List<NumberedLink> cables, Map<String, SwitchView> switches) {
        this.cables = cables;
        this.switches = switches;
    }

    /**
     * Links that carry nothing.
     *
     * @param young names of links that are just coming up: placing everything around them would only mean to move it
     *     twice, so they are down only without carrier
     */
    Set<PortId> down(Set<PortId> young) {
        Set<PortId> down = new TreeSet<>();
        for (NumberedLink cable : cables) {
            boolean isYoung = !young.isEmpty() && young.contains(cable.end());
            if (isDown(cable.end(), cable.number(), isYoung) || isDown(cable.peer(), cable.peerNumber(), isYoung)) {
                down.add(cable.end());
            }
        }
        return down;
    }

    /**
     * Switches that forward, as their neighbours see, and cannot be told anything. What they do is what they were told
     * last.
     */
    Set<String> outOfReach(Topology topology) {
        Set<String> names = new TreeSet<>();
        topology.roles().keySet().stream()
            .filter(name -> !switches.getOrDefault(name, SwitchView.UNSEEN).openflow())
            .forEach(names::add);
        names.retainAll(names.isEmpty() ? names : seen());
        return names;
    }

    /** Switches to which some neighbour's port is up. */
    private Set<String> seen() {
        Set<String> seen = new HashSet<>();
        for (NumberedLink cable : cables) {
            if (isUp(cable.peer(), cable.peerNumber())) {
                seen.add(cable.end().switchName());
            }
            if (isUp(cable.end(), cable.number())) {
                seen.add(cable.peer().switchName());
            }
        }
        return seen;
    }

    /**
     * Those of some links whose two ends have not both been seen up by switches that can be told what to do with them.
     *
     * @param frozen links that may not be taken into use anyhow
     */
    Set<PortId> unproven(Set<PortId> links, Set<PortId> frozen) {
        Set<PortId> left = new TreeSet<>();
        for (NumberedLink cable : links.isEmpty() ? List.<NumberedLink>of() : cables) {
            if (links.contains(cable.end()) && (frozen.contains(cable.end())
                    || !isProven(cable.end(), cable.number()) || !isProven(cable.peer(), cable.peerNumber()))) {
                left.add(cable.end());
            }
        }
        return left;
    }

    /**
     * Those of some young links that still are.
     *
     * @param young when both ends were first told of; {@link Instant#MAX} before that
     */
    SortedMap<PortId, Instant> young(SortedMap<PortId, Instant> young, Instant now) {
        SortedMap<PortId, Instant> left = new TreeMap<>();
        for (NumberedLink cable : young.isEmpty() ? List.<NumberedLink>of() : cables) {
            Instant told = young.get(cable.end());
            if (told == null || isUp(cable.end(), cable.number()) && isUp(cable.peer(), cable.peerNumber())) {
                continue;
            }
            if (told.equals(Instant.MAX) && of(cable.end()).isTold(cable.number())
                    && of(cable.peer()).isTold(cable.peerNumber())) {
                told = now;
            }
            if (told.equals(Instant.MAX) || now.isBefore(told.plus(YOUTH))) {
                left.put(cable.end(), told);
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

    private boolean isDown(PortId port, int number, boolean isYoung) {
        return isYoung ? of(port).hasFailed(port.port()) : of(port).isDown(port.port(), number);
    }
}
