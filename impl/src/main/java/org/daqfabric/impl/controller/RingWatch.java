package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.FabricState.RingState;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/** Asks the switches now and then what their daqrings have seen. Belongs to the fabric's event loop. */
final class RingWatch {
    /** Open vSwitch brings its statistics up to date every five seconds. */
    static final Duration INTERVAL = Duration.ofSeconds(10);

    private final SwitchDriver.Loop loop;
    private final BridgeDriver driver;
    private final SortedMap<String, List<RingState>> states = new TreeMap<>();

    RingWatch(SwitchDriver.Loop loop, BridgeDriver driver) {
        this.loop = loop;
        this.driver = driver;
    }

    /** What was last heard of all daqrings, by switch and port. */
    List<RingState> states() {
        return states.values().stream().flatMap(List::stream).toList();
    }

    /** Asks all switches that have daqrings; what they answer counts when it comes. */
    void ask(Topology topology, PortNumbers numbers) {
        Map<String, String> dcms = new TreeMap<>();
        topology.endpoints().values().stream().filter(Endpoint::isDcm)
            .forEach(host -> dcms.put(Daqrings.portName(host.address()), host.name()));
        states.keySet().removeIf(name -> !PortAllocator.hasRings(numbers, name));
        topology.roles().keySet().stream().filter(name -> PortAllocator.hasRings(numbers, name)).forEach(name -> {
            Switch of = topology.switchOf(name);
            loop.then(driver.rings(of.systemId(), of.bridge()), (found, failure) -> {
                if (failure == null) {
                    states.put(name, found.entrySet().stream().filter(ring -> dcms.containsKey(ring.getKey()))
                        .map(ring -> state(name, dcms.get(ring.getKey()), ring.getValue())).toList());
                }
            });
        });
    }

    private static RingState state(String switchName, String dcm, Map<String, Long> statistics) {
        return new RingState(switchName, dcm, statistics.getOrDefault("ring_enqueued", 0L),
            statistics.getOrDefault("ring_dequeued", 0L), statistics.getOrDefault("ring_dropped", 0L),
            statistics.getOrDefault("ring_occupancy", 0L), statistics.getOrDefault("ring_max_occupancy", 0L),
            statistics.getOrDefault("ring_throttled_polls", 0L));
    }
}
