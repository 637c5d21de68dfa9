package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.FabricState.HostDrops;
import org.daqfabric.api.state.FabricState.RingState;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Polls the switches for their ports and daqrings; a switch is not polled again before it has answered. Belongs to the
 * fabric's event loop.
 */
final class StatisticsPoller {
    /** Open vSwitch updates its statistics every five seconds. */
    static final Duration INTERVAL = Duration.ofSeconds(10);

    private final String fabric;
    private final EventLoop loop;
    private final BridgeDriver driver;
    private final Recorder recorder;
    private final StatePublisher publisher;
    private final Clocks clocks;
    private final SortedMap<String, List<RingState>> rings = new TreeMap<>();
    /** As last read, by switch; answers change it before their event reaches the loop. */
    private final Map<String, SwitchPorts> read = new ConcurrentHashMap<>();
    /** By switch, like {@code read}. */
    private final Map<String, PortRates> rates = new ConcurrentHashMap<>();
    private List<PortState> ports = List.of();
    private @Nullable Topology portsFor;
    /** Switches that have not answered yet. */
    private final Set<String> pending = ConcurrentHashMap.newKeySet();

    StatisticsPoller(String fabric, EventLoop loop, BridgeDriver driver, FabricServices services) {
        this.fabric = fabric;
        this.loop = loop;
        this.driver = driver;
        recorder = services.recorder();
        publisher = services.publisher();
        clocks = services.clocks();
    }

    /** The newest statistics of all daqrings, by switch and port. */
    List<RingState> rings() {
        return rings.values().stream().flatMap(List::stream).toList();
    }

    /** All ports of links and DCMs as they were last read. */
    List<PortState> ports(Topology topology) {
        if (topology != portsFor) {
            ports = PortConditions.of(topology, read);
            portsFor = topology;
        }
        return ports;
    }

    /** How fast ports count, by switch. */
    Map<String, PortRates> rates() {
        return Map.copyOf(rates);
    }

    /** What the host of a switch has dropped; empty while its node does not tell. */
    Optional<HostDrops> hostDrops(String switchName) {
        return read.getOrDefault(switchName, SwitchPorts.UNKNOWN).host().told();
    }

    /** Polls all switches that have answered the last poll. */
    void poll(Topology topology, PortNumbers numbers) {
        rings.keySet().removeIf(name -> !PortAllocator.hasRings(numbers, name));
        read.keySet().retainAll(topology.roles().keySet());
        rates.keySet().retainAll(topology.roles().keySet());
        Map<String, String> hosts = Daqrings.hostNames(topology);
        for (String name : topology.roles().keySet()) {
            if (pending.add(name)) {
                poll(topology.switchOf(name), PortAllocator.hasRings(numbers, name), hosts);
            }
        }
    }

    private void poll(Switch polled, boolean hasRings, Map<String, String> hosts) {
        var answer = driver.readPorts(polled.systemId(), polled.bridge());
        answer.whenComplete((found, failure) -> {
            if (failure != null) {
                pending.remove(polled.name());
                return;
            }
            SortedMap<String, Map<String, Long>> statistics = new TreeMap<>();
            found.forEach((port, reading) -> statistics.put(port, reading.statistics()));
            SwitchPorts before = read.getOrDefault(polled.name(), SwitchPorts.UNKNOWN);
            SwitchPorts now = before.after(found);
            read.put(polled.name(), now);
            rates.put(polled.name(), rates.getOrDefault(polled.name(), PortRates.UNKNOWN)
                .after(clocks.steady().instant(), statistics));
            pending.remove(polled.name());
            Instant at = clocks.wall().instant();
            recorder.counted(fabric, polled.name(), at, statistics);
            publisher.read(fabric, polled.name(), at, found);
            loop.then(answer, (same, none) -> {
                if (hasRings) {
                    rings.put(polled.name(), rings(polled.name(), statistics, hosts));
                }
                if (!now.looksLike(before)) {
                    portsFor = null;
                }
            });
        });
    }

    private static List<RingState> rings(String switchName, Map<String, Map<String, Long>> statistics,
            Map<String, String> hosts) {
        List<RingState> states = new ArrayList<>();
        statistics.forEach((port, counted) -> Daqrings.addressOf(port).map(hosts::get)
            .ifPresent(host -> states.add(state(switchName, host, counted))));
        return states;
    }

    private static RingState state(String switchName, String host, Map<String, Long> statistics) {
        return new RingState(switchName, host, statistics.getOrDefault("ring_enqueued", 0L),
            statistics.getOrDefault("ring_dequeued", 0L), statistics.getOrDefault("ring_dropped", 0L),
            statistics.getOrDefault("ring_occupancy", 0L), statistics.getOrDefault("ring_max_occupancy", 0L),
            statistics.getOrDefault("ring_throttled_polls", 0L), statistics.getOrDefault("ring_drop_episodes", 0L));
    }
}
