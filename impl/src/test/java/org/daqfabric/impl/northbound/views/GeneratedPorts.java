package org.daqfabric.impl.northbound.views;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Role;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.daqfabric.impl.controller.spi.FabricPorts;
import org.daqfabric.impl.controller.spi.FabricPorts.Reported;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.engine.topology.Topology;

/** Reports of the switches of a fabric, in any combination. */
final class GeneratedPorts {
    private final Random random;
    private final FabricSpec spec;
    private final Topology topology;
    private final PortNumbers numbers;

    /** The switches of a fabric, each with a daqring beside its ports. */
    GeneratedPorts(FabricSpec spec, Random random) {
        this.random = random;
        this.spec = spec;
        topology = new Topology(spec);
        SortedMap<String, SortedMap<String, Integer>> given = new TreeMap<>();
        topology.roles().keySet().forEach(name -> {
            SortedMap<String, Integer> ports = new TreeMap<>();
            topology.devices(name).stream().sorted().forEach(port -> ports.put(port, ports.size() + 1));
            ports.put("ring-10.0.0.1-" + name, PortNumbers.FIRST_RING);
            given.put(name, ports);
        });
        numbers = new PortNumbers(given);
    }

    FabricPorts next() {
        List<SwitchState> switches = new ArrayList<>();
        SortedMap<String, Reported> reported = new TreeMap<>();
        topology.roles().keySet().forEach(name -> {
            switches.add(new SwitchState(name, Role.LEAF, true, random.nextInt(4) > 0, topology.datapathId(name),
                OptionalLong.empty(), 0, 0, OptionalInt.empty(), ""));
            Map<String, PortStatus> ports = new HashMap<>();
            Map<Integer, Boolean> live = new HashMap<>();
            numbers.of(name).forEach((port, number) -> {
                if (random.nextInt(8) > 0) {
                    ports.put(port, new PortStatus(OptionalInt.of(number), random.nextBoolean(), ""));
                    live.put(number, random.nextBoolean());
                }
            });
            reported.put(name, new Reported(ports, live));
        });
        List<LinkState> links = spec.links().stream().map(link -> new LinkState(link.end(),
            OperState.values()[random.nextInt(OperState.values().length)], Instant.EPOCH, Optional.empty(), false))
            .toList();
        return new FabricPorts(new FabricState(spec.name(), Phase.CONVERGED, 1, switches, links, List.of(), List.of(),
            List.of(), List.of(), List.of(), new Capacity(0, 0, "", 0), Optional.empty(),
            Optional.empty(), Optional.empty()), spec,
            numbers, reported);
    }

    /** A reading of a switch, in which some ports are missing. */
    SwitchReading reading(String switchName) {
        Map<String, PortReading> ports = new TreeMap<>();
        List<String> names = new ArrayList<>(numbers.of(switchName).keySet());
        names.add(topology.switchOf(switchName).bridge());
        names.stream().filter(name -> random.nextInt(8) > 0).forEach(name -> ports.put(name, new PortReading(
            Map.of("rx_bytes", (long) random.nextInt(1000), "tx_packets", 7L, "rx_frame_err", -1L, "rx_other", 1L),
            new PortReading.Line(random.nextBoolean() ? OptionalDouble.of(25) : OptionalDouble.empty(), "",
                OptionalLong.empty(), OptionalLong.empty(), random.nextBoolean() ? "02:00:00:00:00:01" : "",
                List.of()))));
        return SwitchReading.of(Instant.EPOCH.plusSeconds(random.nextInt(1000)), ports);
    }

    String anySwitch() {
        List<String> names = List.copyOf(topology.roles().keySet());
        return names.get(random.nextInt(names.size()));
    }
}
