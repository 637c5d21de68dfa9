package org.daqfabric.api.placement;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.spec.PortId;

/**
 * The fixed OpenFlow number of every declared port and daqring, kept for as long as the port is declared: a number
 * that moved to another port would send packets astray while rules follow.
 *
 * @param numbers per switch name and port name, 1..65279
 */
public record PortNumbers(SortedMap<String, SortedMap<String, Integer>> numbers) {
    public static final PortNumbers EMPTY = new PortNumbers(new TreeMap<>());

    public PortNumbers {
        SortedMap<String, SortedMap<String, Integer>> copy = new TreeMap<>();
        for (Map.Entry<String, SortedMap<String, Integer>> entry : numbers.entrySet()) {
            copy.put(entry.getKey(), Collections.unmodifiableSortedMap(new TreeMap<>(entry.getValue())));
        }
        numbers = Collections.unmodifiableSortedMap(copy);
    }

    /** The numbers of a switch's ports by name. */
    public SortedMap<String, Integer> of(String switchName) {
        return numbers.getOrDefault(switchName, Collections.emptySortedMap());
    }

    /** The number of a port, empty if the port is not known. */
    public OptionalInt of(PortId port) {
        Integer number = of(port.switchName()).get(port.port());
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
