package org.daqfabric.api.placement;

import com.google.common.collect.ImmutableSortedMap;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.spec.PortId;

/**
 * The fixed OpenFlow number of every configured port and daqring, kept for as long as the port is configured: a number
 * reused for another port would misdirect packets until the rules follow.
 *
 * @param numbers per switch name and port name, 1..{@value #LAST}
 */
public record PortNumbers(SortedMap<String, SortedMap<String, Integer>> numbers) {
    /** Daqrings are numbered from here on, network devices below. */
    public static final int FIRST_RING = 10_000;
    /** The highest number that Open vSwitch gives a port: OpenFlow reserves those above. */
    public static final int LAST = 0xfeff;
    public static final PortNumbers EMPTY = new PortNumbers(new TreeMap<>());

    /**
     * A switch's numbers taken from other PortNumbers stay the same object, so that callers may compare by identity.
     */
    public PortNumbers {
        ImmutableSortedMap.Builder<String, SortedMap<String, Integer>> copy = ImmutableSortedMap.naturalOrder();
        numbers.forEach((switchName, ports) -> copy.put(switchName, ImmutableSortedMap.copyOf(ports)));
        numbers = copy.build();
    }

    /** The numbers of a switch's ports by name. */
    public SortedMap<String, Integer> of(String switchName) {
        return numbers.getOrDefault(switchName, ImmutableSortedMap.of());
    }

    /** The number of a port, empty if the port is not known. */
    public OptionalInt of(PortId port) {
        Integer number = of(port.switchName()).get(port.port());
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
