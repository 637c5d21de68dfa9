package org.daqfabric.impl.engine.compile;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.topology.Topology;

/** What OVSDB must hold for a switch. */
public final class Bridges {
    private static final String DAQRING = "daqring";

    private Bridges() {
    }

    public static Bridge of(Topology topology, PortNumbers numbers, String switchName) {
        String fabric = topology.spec().name();
        Switch description = topology.switchOf(switchName);
        SortedMap<String, Bridge.Port> ports = new TreeMap<>();
        SortedMap<String, Integer> numbered =
            numbers.numbers().getOrDefault(switchName, Collections.emptySortedMap());
        for (Map.Entry<String, Integer> entry : numbered.entrySet()) {
            boolean ring = entry.getValue() >= PortAllocator.FIRST_RING;
            ports.put(entry.getKey(), new Bridge.Port(entry.getValue(), ring ? DAQRING : "",
                ring ? options(topology.spec().policy().daqring()) : Collections.emptySortedMap(),
                Collections.emptySortedMap()));
        }
        return new Bridge(fabric, description.bridge(), DatapathIds.of(fabric, switchName),
            DatapathIds.mac(fabric, switchName), description.datapathType(), ports);
    }

    private static SortedMap<String, String> options(Policy.Daqring policy) {
        return new TreeMap<>(Map.of(
            "ring-size", Integer.toString(policy.ringSize()),
            "max-burst", Integer.toString(policy.maxBurst()),
            "polling-interval", Integer.toString(policy.pollingInterval())));
    }
}
