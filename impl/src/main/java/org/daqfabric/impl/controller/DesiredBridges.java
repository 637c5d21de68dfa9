package org.daqfabric.impl.controller;

import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.compile.BridgeCompiler;
import org.daqfabric.impl.engine.topology.Topology;

/** Remembers what OVSDB was told to hold for each switch, and tells it what is new. */
final class DesiredBridges {
    private final BridgeDriver driver;
    private final SortedMap<String, Entry> told = new TreeMap<>();
    /** The bridges that were wanted last, of which configuration and numbers. */
    private SortedMap<String, Bridge> made = new TreeMap<>();
    private Topology madeFor;
    private PortNumbers madeOf = PortNumbers.EMPTY;
    /** Whether nothing is told beyond what the fabric has. */
    private boolean trimmed;

    private record Entry(Switch description, Bridge bridge) {
        boolean sameBridgeAs(Entry other) {
            return description.systemId().equals(other.description.systemId())
                && bridge.name().equals(other.bridge.name());
        }
    }

    DesiredBridges(BridgeDriver driver) {
        this.driver = driver;
    }

    /** Tells of new bridges and ports; those that left the fabric stay beside them. */
    void extend(Topology topology, Decision decision) {
        trimmed = false;
        tell(topology, wanted(topology, decision), false);
    }

    /**
     * Tells of exactly what the fabric has; costs nothing unless something was told since the last time.
     *
     * @return names of the switches whose bridges went
     */
    Set<String> trim(Topology topology, Decision decision) {
        Set<String> gone = new TreeSet<>();
        if (trimmed) {
            return gone;
        }
        trimmed = true;
        SortedMap<String, Bridge> wanted = wanted(topology, decision);
        tell(topology, wanted, true);
        gone.addAll(told.keySet());
        gone.removeAll(wanted.keySet());
        gone.forEach(switchName -> remove(told.remove(switchName)));
        return gone;
    }

    /** Made anew only where the numbers are others than the last time. */
    private SortedMap<String, Bridge> wanted(Topology topology, Decision decision) {
        SortedMap<String, Bridge> next = new TreeMap<>();
        PortNumbers numbers = decision.portNumbers();
        for (String name : topology.roles().keySet()) {
            boolean same = topology == madeFor && made.containsKey(name) && numbers.of(name).equals(madeOf.of(name));
            next.put(name, same ? made.get(name) : BridgeCompiler.of(topology, numbers, name));
        }
        made = next;
        madeFor = topology;
        madeOf = numbers;
        return next;
    }

    /** The decided port numbers and those of ports that left and are still there, to which rules may still point. */
    PortNumbers numbers(PortNumbers decided) {
        SortedMap<String, SortedMap<String, Integer>> all = new TreeMap<>(decided.numbers());
        told.forEach((switchName, entry) -> {
            SortedMap<String, Integer> given = decided.of(switchName);
            boolean madeOfIt = entry.bridge == made.get(switchName) && given == madeOf.of(switchName);
            if (!madeOfIt && !given.keySet().containsAll(entry.bridge.ports().keySet())) {
                SortedMap<String, Integer> numbers = new TreeMap<>();
                entry.bridge.ports().forEach((port, there) -> numbers.put(port, there.number()));
                numbers.putAll(given);
                all.put(switchName, numbers);
            }
        });
        return new PortNumbers(all);
    }

    void removeAll() {
        told.values().forEach(this::remove);
        told.clear();
    }

    private void tell(Topology topology, SortedMap<String, Bridge> wanted, boolean exact) {
        wanted.forEach((switchName, bridge) -> {
            Entry before = told.get(switchName);
            if (before != null && before.bridge == bridge && before.description.equals(topology.switchOf(switchName))) {
                return;
            }
            Entry next = new Entry(topology.switchOf(switchName),
                exact || before == null ? bridge : withPortsOf(before.bridge, bridge));
            if (!next.equals(before)) {
                if (before != null && !before.sameBridgeAs(next)) {
                    remove(before);
                }
                driver.put(next.description.systemId(), next.description.ovsdbAddress(), next.bridge);
            }
            told.put(switchName, next);
        });
    }

    private void remove(Entry entry) {
        driver.remove(entry.description.systemId(), entry.bridge.name());
    }

    private static Bridge withPortsOf(Bridge before, Bridge bridge) {
        if (bridge.ports().keySet().containsAll(before.ports().keySet())) {
            return bridge;
        }
        SortedMap<String, Bridge.Port> ports = new TreeMap<>(before.ports());
        ports.putAll(bridge.ports());
        return new Bridge(bridge.fabric(), bridge.name(), bridge.datapathId(), bridge.mac(), bridge.datapathType(),
            ports);
    }
}
