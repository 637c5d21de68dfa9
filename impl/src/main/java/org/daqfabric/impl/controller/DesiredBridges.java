package org.daqfabric.impl.controller;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.compile.BridgeCompiler;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/** Computes the desired bridge of each switch and passes changes to the driver. Belongs to the fabric's event loop. */
final class DesiredBridges {
    private final String fabric;
    private final Removals removals;
    /** What the driver was given, by switch. */
    private final SortedMap<String, Entry> given = new TreeMap<>();
    /** Those of them that the driver was not given, by name. */
    private final Set<String> assumed = new HashSet<>();
    /** The bridges compiled last, and from which configuration and numbers. */
    private SortedMap<String, Bridge> compiled = new TreeMap<>();
    private @Nullable Topology compiledFor;
    private PortNumbers compiledFrom = PortNumbers.EMPTY;
    /** Whether the driver has been given nothing beyond what the fabric has. */
    private boolean trimmed;

    private record Entry(Switch description, Bridge bridge) {
        boolean sameBridgeAs(Entry other) {
            return description.systemId().equals(other.description.systemId())
                && bridge.name().equals(other.bridge.name());
        }
    }

    DesiredBridges(String fabric, Removals removals) {
        this.fabric = fabric;
        this.removals = removals;
    }

    /**
     * The switches have the bridges of a decision that was made before this loop began: their ports stay until {@link
     * #trim}, like those that it gave itself. So do ports of an earlier decision whose rules may still be installed.
     * Does not concern the driver.
     *
     * @param left bridges that left the fabric before this loop began, to be removed by {@link #trim}
     * @param displaced the same, to be removed at once
     * @param givenBefore what the loop before gave, whose rules may still need ports that the decision has not
     */
    void assume(Topology topology, Decision before, Set<MarkedBridge> left, Set<MarkedBridge> displaced,
            Map<MarkedBridge, Bridge> givenBefore) {
        left.forEach(removals::left);
        displaced.forEach(bridge -> removals.remove(bridge, Optional.empty()));
        given.keySet().removeAll(assumed);
        assumed.clear();
        for (String switchName : topology.roles().keySet()) {
            Switch description = topology.switchOf(switchName);
            Bridge decided = BridgeCompiler.of(topology, before.portNumbers(), switchName);
            Bridge known = givenBefore.getOrDefault(MarkedBridge.of(fabric, description), decided);
            given.put(switchName, new Entry(description, withPortsOf(known, decided, false)));
        }
        assumed.addAll(given.keySet());
    }

    /** The switches that have bridges, also those that have left the fabric and still have them. */
    Set<String> switches() {
        return Collections.unmodifiableSet(given.keySet());
    }

    /** What the driver was given, by bridge. */
    Map<MarkedBridge, Bridge> given() {
        Map<MarkedBridge, Bridge> all = new HashMap<>();
        given.values().forEach(entry -> all.put(MarkedBridge.of(fabric, entry.description), entry.bridge));
        return all;
    }

    /** Adds new bridges and ports; those that left the fabric stay. */
    void extend(Topology topology, Decision decision) {
        trimmed = false;
        pass(topology, compile(topology, decision), false);
    }

    /**
     * Removes bridges and ports that left the fabric; does nothing unless {@link #extend} was called since the last
     * time.
     *
     * @return names of the switches whose bridges were removed
     */
    Set<String> trim(Topology topology, Decision decision) {
        Set<String> gone = new TreeSet<>();
        if (trimmed) {
            return gone;
        }
        trimmed = true;
        SortedMap<String, Bridge> desired = compile(topology, decision);
        pass(topology, desired, true);
        gone.addAll(given.keySet());
        gone.removeAll(desired.keySet());
        Set<MarkedBridge> needed = named(topology);
        gone.forEach(switchName -> remove(given.remove(switchName), needed));
        removals.releaseAll(fabric, needed);
        return gone;
    }

    /** Compiles again only the bridges whose numbers have changed. */
    private SortedMap<String, Bridge> compile(Topology topology, Decision decision) {
        SortedMap<String, Bridge> next = new TreeMap<>();
        PortNumbers numbers = decision.portNumbers();
        for (String name : topology.roles().keySet()) {
            boolean same = topology == compiledFor && compiled.containsKey(name)
                && numbers.of(name).equals(compiledFrom.of(name));
            next.put(name, same ? compiled.get(name) : BridgeCompiler.of(topology, numbers, name));
        }
        compiled = next;
        compiledFor = topology;
        compiledFrom = numbers;
        return next;
    }

    /** The daqrings that a decision has no more, by switch. */
    SortedMap<String, List<Bridge.Port>> leavingRings(Decision decision) {
        SortedMap<String, List<Bridge.Port>> leaving = new TreeMap<>();
        given.forEach((switchName, entry) -> {
            Set<String> stay = decision.portNumbers().of(switchName).keySet();
            List<Bridge.Port> rings = entry.bridge.ports().entrySet().stream()
                .filter(port -> PortAllocator.isRing(port.getValue().number()) && !stay.contains(port.getKey()))
                .map(Map.Entry::getValue).toList();
            if (!rings.isEmpty()) {
                leaving.put(switchName, rings);
            }
        });
        return leaving;
    }

    /**
     * The decided port numbers and those of ports that left the fabric but still exist, to which rules may still point.
     */
    PortNumbers numbers(PortNumbers decided) {
        SortedMap<String, SortedMap<String, Integer>> all = new TreeMap<>(decided.numbers());
        given.forEach((switchName, entry) -> {
            SortedMap<String, Integer> now = decided.of(switchName);
            boolean isCurrent = entry.bridge == compiled.get(switchName) && now == compiledFrom.of(switchName);
            if (!isCurrent && !now.keySet().containsAll(entry.bridge.ports().keySet())) {
                SortedMap<String, Integer> numbers = new TreeMap<>();
                entry.bridge.ports().forEach((name, port) -> numbers.put(name, port.number()));
                numbers.putAll(now);
                all.put(switchName, numbers);
            }
        });
        return new PortNumbers(all);
    }

    void removeAll() {
        given.values().forEach(entry -> remove(entry, Set.of()));
        given.clear();
        removals.releaseAll(fabric, Set.of());
    }

    /** The bridges that the switches of a configuration have. */
    private static Set<MarkedBridge> named(Topology topology) {
        Set<MarkedBridge> named = new HashSet<>();
        topology.roles().keySet()
            .forEach(name -> named.add(MarkedBridge.of(topology.spec().name(), topology.switchOf(name))));
        return named;
    }

    private void pass(Topology topology, SortedMap<String, Bridge> desired, boolean exact) {
        Set<MarkedBridge> needed = named(topology);
        desired.forEach((switchName, bridge) -> {
            Entry before = given.get(switchName);
            if (before != null && before.bridge == bridge && !assumed.contains(switchName)
                    && before.description.equals(topology.switchOf(switchName))) {
                return;
            }
            boolean surplus = assumed.contains(switchName) || before != null && before.bridge.surplusStays();
            Entry next = new Entry(topology.switchOf(switchName),
                exact || before == null ? bridge : withPortsOf(before.bridge, bridge, surplus));
            if (assumed.remove(switchName) || !next.equals(before)) {
                if (before != null && !before.sameBridgeAs(next)) {
                    remove(before, needed);
                }
                removals.put(next.description.systemId(), next.description.ovsdbAddress(), next.bridge);
            }
            given.put(switchName, next);
        });
    }

    /** Removes a switch's bridge, unless another switch has it by now. */
    private void remove(Entry entry, Set<MarkedBridge> needed) {
        MarkedBridge bridge = MarkedBridge.of(fabric, entry.description);
        if (!needed.contains(bridge)) {
            removals.remove(bridge, entry.description.ovsdbAddress());
        }
    }

    private static Bridge withPortsOf(Bridge before, Bridge bridge, boolean surplus) {
        return !surplus && bridge.ports().keySet().containsAll(before.ports().keySet()) ? bridge
            : bridge.with(before.ports(), surplus);
    }
}
