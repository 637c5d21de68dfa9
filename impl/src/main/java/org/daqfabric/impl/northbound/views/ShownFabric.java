package org.daqfabric.impl.northbound.views;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.daqfabric.impl.controller.spi.FabricPorts;
import org.daqfabric.impl.controller.spi.FabricPorts.Reported;
import org.daqfabric.impl.controller.spi.PortReading;

/**
 * A fabric in the terms that the standard models share.
 *
 * @param id names the topology
 * @param switches all that are configured, by id
 * @param cables those that work, each in both directions, by id
 */
record ShownFabric(String id, SortedMap<String, SwitchNode> switches, SortedMap<String, Cable> cables) {
    /** The counters that the models have, by their names in OVSDB. */
    static final Set<String> COUNTERS = Set.of("rx_packets", "tx_packets", "rx_bytes", "tx_bytes", "rx_dropped",
        "tx_dropped", "rx_errors", "tx_errors", "rx_frame_err", "rx_over_err", "rx_crc_err", "collisions");
    /** A drained link works. */
    private static final Set<OperState> WORKING = EnumSet.of(OperState.UP, OperState.DRAINED);
    private static final String LOCAL = "LOCAL";
    private static final double KBPS = 1e6;

    ShownFabric {
        switches = Collections.unmodifiableSortedMap(new TreeMap<>(switches));
        cables = Collections.unmodifiableSortedMap(new TreeMap<>(cables));
    }

    /** The id of a fabric's topology. */
    static String id(String fabric) {
        return "daqfabric:" + fabric;
    }

    /**
     * The view of a fabric.
     *
     * @param readings the newest, by switch
     */
    static ShownFabric of(FabricPorts now, Map<String, SwitchReading> readings) {
        Map<String, String> bridges = new HashMap<>();
        now.spec().switches().forEach(each -> bridges.put(each.name(), each.bridge()));
        Map<String, String> ids = new HashMap<>();
        SortedMap<String, SwitchNode> switches = new TreeMap<>();
        for (SwitchState state : now.state().switches()) {
            String id = SwitchNode.id(state.datapathId());
            ids.put(state.name(), id);
            switches.put(id, node(id, state, now, Optional.ofNullable(readings.get(state.name())),
                bridges.getOrDefault(state.name(), "")));
        }
        return new ShownFabric(id(now.spec().name()), switches, cables(now, ids));
    }

    private static SwitchNode node(String id, SwitchState state, FabricPorts now, Optional<SwitchReading> reading,
            String bridge) {
        Reported reported = now.reported().getOrDefault(state.name(), Reported.NOTHING);
        Map<String, PortReading> read = reading.<Map<String, PortReading>>map(SwitchReading::ports).orElse(Map.of());
        SortedMap<Integer, String> names = new TreeMap<>();
        now.numbers().of(state.name()).forEach((name, number) -> {
            if (number < PortNumbers.FIRST_RING) {
                names.put(number, name);
            }
        });
        List<SwitchNode.Port> ports = new ArrayList<>();
        names.forEach((number, name) -> {
            PortStatus status = reported.ports().get(name);
            ports.add(port(id, Integer.toString(number), name,
                status != null && status.number().equals(OptionalInt.of(number)),
                Optional.of(new SwitchNode.State(status == null || !status.up(),
                    reported.live().getOrDefault(number, false))), Optional.ofNullable(read.get(name))));
        });
        Optional.ofNullable(read.get(bridge))
            .ifPresent(own -> ports.add(port(id, LOCAL, bridge, true, Optional.empty(), Optional.of(own))));
        return new SwitchNode(id, state.name(), state.openflowConnected(), ports, reading.map(SwitchReading::when));
    }

    private static SwitchNode.Port port(String node, String number, String name, boolean exists,
            Optional<SwitchNode.State> state, Optional<PortReading> read) {
        Map<String, Long> counters = new HashMap<>();
        read.ifPresent(reading -> reading.statistics().forEach((counter, value) -> {
            if (COUNTERS.contains(counter) && value >= 0) {
                counters.put(counter, value);
            }
        }));
        OptionalLong kbps = read.map(reading -> reading.line().speed()).filter(speed -> speed.isPresent())
            .map(speed -> OptionalLong.of(Math.round(speed.getAsDouble() * KBPS))).orElse(OptionalLong.empty());
        return new SwitchNode.Port(node + ":" + number, number, name, exists, state, kbps,
            read.map(reading -> reading.line().mac()).orElse(""), counters);
    }

    private static SortedMap<String, Cable> cables(FabricPorts now, Map<String, String> ids) {
        Map<PortId, Link> links = new HashMap<>();
        now.spec().links().forEach(link -> links.put(link.end(), link));
        SortedMap<String, Cable> cables = new TreeMap<>();
        for (LinkState state : now.state().links()) {
            Link link = links.get(state.end());
            if (link == null || !WORKING.contains(state.operState())) {
                continue;
            }
            Optional<String> end = port(now, ids, link.end());
            Optional<String> peer = port(now, ids, link.peer());
            if (end.isPresent() && peer.isPresent()) {
                String node = ids.get(link.end().switchName());
                String other = ids.get(link.peer().switchName());
                cables.put(end.get(), new Cable(node, end.get(), other, peer.get()));
                cables.put(peer.get(), new Cable(other, peer.get(), node, end.get()));
            }
        }
        return cables;
    }

    /** The id of a port; empty if it has no number. */
    private static Optional<String> port(FabricPorts now, Map<String, String> ids, PortId port) {
        OptionalInt number = now.numbers().of(port);
        String node = ids.get(port.switchName());
        return number.isPresent() && node != null ? Optional.of(node + ":" + number.getAsInt()) : Optional.empty();
    }
}
