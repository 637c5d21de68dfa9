package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/** What is known of the links, judged by their two ends. */
final class Links {
    /** How long BFD may take to find its peer when both ends of a link have just been made. */
    static final Duration YOUTH = Duration.ofSeconds(5);

    private final PortNumbers numbers;
    private final Map<String, SwitchView> switches;

    Links(PortNumbers numbers, Map<String, SwitchView> switches) {
        this.numbers = numbers;
        this.switches = switches;
    }

    /**
     * Links that carry nothing.
     *
     * @param young names of links that are just coming up: placing everything around them would only mean to move it
     *     twice, so they are down only without carrier
     */
    Set<PortId> down(Topology topology, Set<PortId> young) {
        Set<PortId> down = new TreeSet<>();
        for (Link link : topology.spec().links()) {
            Predicate<PortId> isDown = young.contains(link.end()) ? this::hasFailed : this::isDown;
            if (isDown.test(link.end()) || isDown.test(link.peer())) {
                down.add(link.end());
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
            .filter(name -> topology.segments(name).stream().map(Segment::link)
                .anyMatch(link -> isUp(link.end().switchName().equals(name) ? link.peer() : link.end())))
            .forEach(names::add);
        return names;
    }

    /**
     * Those of some links whose two ends have not both been seen up by switches that can be told what to do with them.
     *
     * @param frozen links that may not be taken into use anyhow
     */
    Set<PortId> unproven(Topology topology, Set<PortId> links, Set<PortId> frozen) {
        Set<PortId> left = new TreeSet<>();
        for (Link link : topology.spec().links()) {
            if (links.contains(link.end())
                    && (frozen.contains(link.end()) || !(isProven(link.end()) && isProven(link.peer())))) {
                left.add(link.end());
            }
        }
        return left;
    }

    /**
     * Those of some young links that still are.
     *
     * @param young when both ends were first told of; {@link Instant#MAX} before that
     */
    SortedMap<PortId, Instant> young(Topology topology, SortedMap<PortId, Instant> young, Instant now) {
        SortedMap<PortId, Instant> left = new TreeMap<>();
        for (Link link : topology.spec().links()) {
            Instant told = young.get(link.end());
            if (told == null || isUp(link.end()) && isUp(link.peer())) {
                continue;
            }
            if (told.equals(Instant.MAX) && isTold(link.end()) && isTold(link.peer())) {
                told = now;
            }
            if (told.equals(Instant.MAX) || now.isBefore(told.plus(YOUTH))) {
                left.put(link.end(), told);
            }
        }
        return left;
    }

    private SwitchView of(PortId port) {
        return switches.getOrDefault(port.switchName(), SwitchView.UNSEEN);
    }

    private boolean isUp(PortId port) {
        return of(port).isUp(port, numbers);
    }

    private boolean isProven(PortId port) {
        return isUp(port) && of(port).openflow();
    }

    private boolean isDown(PortId port) {
        return of(port).isDown(port, numbers);
    }

    private boolean hasFailed(PortId port) {
        return of(port).hasFailed(port);
    }

    private boolean isTold(PortId port) {
        return of(port).isTold(port, numbers);
    }
}
