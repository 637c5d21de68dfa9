package org.daqfabric.impl.engine.compile;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/** Gives every port its fixed OpenFlow number. */
public final class PortAllocator {
    private PortAllocator() {
    }

    /** Whether a port of that number is a daqring. */
    public static boolean isRing(int number) {
        return number >= PortNumbers.FIRST_RING;
    }

    /** Whether a switch holds daqrings. */
    public static boolean hasRings(PortNumbers numbers, String switchName) {
        return numbers.of(switchName).values().stream().anyMatch(PortAllocator::isRing);
    }

    /**
     * Numbers all ports of a fabric. A port that had a number keeps it; a new daqring gets the one it has in all
     * switches, anything else the lowest free one. The number of a port that this change removes is not free: rules
     * still point to it. A port for which no number is left gets none: a DCM does without the daqring, a link carries
     * nothing. That happens only while many ports replace others, as {@code engine.check} refuses more than there are
     * numbers for; a later decision numbers it.
     *
     * @param rings addresses with a daqring, by switch
     */
    public static PortNumbers allocate(Topology topology, PortNumbers previous,
            SortedMap<String, Set<Address>> rings) {
        SortedMap<String, SortedMap<String, Integer>> all = new TreeMap<>();
        Map<Address, Integer> preferred = preferred(topology);
        for (String switchName : topology.roles().keySet()) {
            SortedMap<String, Integer> before = previous.of(switchName);
            Map<String, Integer> ringNumbers = new LinkedHashMap<>();
            for (Address address : rings.getOrDefault(switchName, Set.of())) {
                ringNumbers.put(Daqrings.portName(address, topology.switchOf(switchName).bridge(), before.keySet()),
                    preferred.getOrDefault(address, PortNumbers.FIRST_RING));
            }
            SortedMap<String, Integer> now = allocate(topology.devices(switchName), ringNumbers, before);
            if (!now.isEmpty()) {
                all.put(switchName, now);
            }
        }
        return new PortNumbers(all);
    }

    /** Numbers the ports of a switch; the daqrings come with the numbers that they have in all switches. */
    private static SortedMap<String, Integer> allocate(Set<String> devices, Map<String, Integer> rings,
            SortedMap<String, Integer> before) {
        if (before.size() == devices.size() + rings.size() && before.keySet().containsAll(rings.keySet())
                && before.keySet().containsAll(devices)) {
            return before;
        }
        SortedMap<String, Integer> now = new TreeMap<>();
        number(devices, before, 1, PortNumbers.FIRST_RING - 1, Map.of(), now);
        number(rings.keySet(), before, PortNumbers.FIRST_RING, PortNumbers.LAST, rings, now);
        return now;
    }

    /**
     * A daqring has the same number in every switch, so that a switch that missed changes has no other one under it.
     */
    private static Map<Address, Integer> preferred(Topology topology) {
        Map<Address, Integer> preferred = new HashMap<>();
        topology.endpoints().values().stream().filter(Endpoint::isDcm)
            .limit(PortNumbers.LAST - PortNumbers.FIRST_RING + 1).forEach(host ->
                preferred.put(host.address(), PortNumbers.FIRST_RING + preferred.size()));
        return preferred;
    }

    private static void number(Collection<String> names, SortedMap<String, Integer> before, int first, int last,
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
                if (next > last) {
                    return;
                }
                into.put(name, next++);
            }
        }
    }
}
