package org.daqfabric.impl.engine.compile;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/** Gives every port its fixed OpenFlow number. */
public final class PortAllocator {
    /** Daqrings are numbered from here on, network devices below. */
    private static final int FIRST_RING = 10_000;

    private PortAllocator() {
    }

    /** Whether a port of that number is a daqring. */
    public static boolean isRing(int number) {
        return number >= FIRST_RING;
    }

    /** Whether a switch holds daqrings. */
    public static boolean hasRings(PortNumbers numbers, String switchName) {
        return numbers.of(switchName).values().stream().anyMatch(PortAllocator::isRing);
    }

    /**
     * Numbers all ports of a fabric. A port that had a number keeps it; a new daqring gets the one it has in all
     * switches, anything else the lowest free one. The number of a port that this change removes is not free: rules
     * still point to it.
     *
     * @param rings names of the daqrings by switch
     */
    public static PortNumbers allocate(Topology topology, PortNumbers previous,
            SortedMap<String, Set<String>> rings) {
        SortedMap<String, SortedMap<String, Integer>> all = new TreeMap<>();
        Map<String, Integer> preferred = preferred(topology);
        for (String switchName : topology.roles().keySet()) {
            SortedMap<String, Integer> now = allocate(topology.devices(switchName),
                rings.getOrDefault(switchName, Set.of()), previous.of(switchName), preferred);
            if (!now.isEmpty()) {
                all.put(switchName, now);
            }
        }
        return new PortNumbers(all);
    }

    private static SortedMap<String, Integer> allocate(Set<String> devices, Set<String> rings,
            SortedMap<String, Integer> before, Map<String, Integer> preferred) {
        if (before.size() == devices.size() + rings.size() && before.keySet().containsAll(rings)
                && before.keySet().containsAll(devices)) {
            return before;
        }
        SortedMap<String, Integer> now = new TreeMap<>();
        number(devices, before, 1, Map.of(), now);
        number(rings, before, FIRST_RING, preferred, now);
        return now;
    }

    /**
     * A daqring has the same number in every switch, so that a switch that missed changes has no other one under it.
     */
    private static Map<String, Integer> preferred(Topology topology) {
        Map<String, Integer> preferred = new HashMap<>();
        topology.endpoints().values().stream().filter(Endpoint::isDcm).forEach(host ->
            preferred.put(Daqrings.portName(host.address()), FIRST_RING + preferred.size()));
        return preferred;
    }

    private static void number(Collection<String> names, SortedMap<String, Integer> before, int first,
            Map<String, Integer> preferred, SortedMap<String, Integer> into) {
        Set<Integer> taken = new HashSet<>(before.values());
        for (String name : names) {
            Integer number = before.get(name);
            if (number == null && preferred.containsKey(name) && taken.add(preferred.get(name))) {
                number = preferred.get(name);
            }
            if (number != null) {
                into.put(name, number);
            }
        }
        int next = first;
        for (String name : names) {
            if (!into.containsKey(name)) {
                while (taken.contains(next)) {
                    next++;
                }
                into.put(name, next++);
            }
        }
    }
}
