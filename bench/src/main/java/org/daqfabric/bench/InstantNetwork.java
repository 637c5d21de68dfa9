package org.daqfabric.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Switches that accept every message and only count it, so that only the controller takes time. Their answers and
 * reports are queued until {@link #answer} is called.
 */
final class InstantNetwork implements RuleChannel, BridgeDriver {
    private final Map<String, Bridge> bridges = new HashMap<>();
    private final Map<String, Long> datapaths = new HashMap<>();
    private final Set<PortId> downPorts = new HashSet<>();
    private List<Runnable> queued = new ArrayList<>();
    private FabricManager manager;
    private int messages;

    void listener(FabricManager controller) {
        manager = controller;
    }

    /** All nodes of a fabric connect to the controller. */
    void connect(Topology topology) {
        for (String name : topology.roles().keySet()) {
            datapaths.put(name, topology.identities().of(name).datapathId());
            manager.nodeConnected(name, "3.1.0", Set.of("system", "daqring"));
        }
    }

    /** Delivers all queued answers and reports; returns false if there were none. */
    boolean answer() {
        List<Runnable> due = queued;
        queued = new ArrayList<>();
        due.forEach(Runnable::run);
        return !due.isEmpty();
    }

    /** Both ends of links report them up or down, first over OpenFlow and then over OVSDB. */
    void links(List<Segment> segments, boolean up) {
        for (Segment segment : segments) {
            for (PortId port : List.of(segment.lower(), segment.upper())) {
                if (up ? downPorts.remove(port) : downPorts.add(port)) {
                    Bridge bridge = bridges.get(port.switchName());
                    queued.add(() -> manager.portChanged(datapaths.get(port.switchName()),
                        bridge.ports().get(port.port()).number(), up, Set.of()));
                }
            }
        }
        segments.stream().flatMap(segment -> List.of(segment.lower(), segment.upper()).stream()).map(PortId::switchName)
            .distinct().forEach(name -> queued.add(() -> report(name)));
    }

    int messages() {
        return messages;
    }

    @Override
    public CompletionStage<InstalledState> read(long datapathId) {
        return later(new InstalledState(Program.EMPTY, Program.EMPTY, 0));
    }

    @Override
    public CompletionStage<List<Refusal>> send(long datapathId, List<Message> batch) {
        messages += batch.size();
        return later(List.of());
    }

    private <T> CompletionStage<T> later(T value) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        queued.add(() -> answer.complete(value));
        return answer;
    }

    @Override
    public CompletionStage<Map<Integer, Long>> held(long datapathId) {
        return CompletableFuture.completedFuture(Map.of(1, 0L));
    }

    @Override
    public void clearPortBits(long datapathId, int port) {
        // none is ever set
    }

    @Override
    public void watchCabling(long datapathId, Set<Integer> ports) {
        // all cables are as configured
    }

    @Override
    public void put(String systemId, Optional<OvsdbAddress> address, Bridge bridge) {
        Bridge before = bridges.put(systemId, bridge);
        queued.add(() -> {
            long datapath = datapaths.get(systemId);
            if (before == null) {
                manager.switchConnected(datapath);
            }
            bridge.ports().forEach((name, port) -> {
                if (before == null || !before.ports().containsKey(name)) {
                    manager.portChanged(datapath, port.number(), !downPorts.contains(new PortId(systemId, name)),
                        Set.of());
                }
            });
            report(systemId);
        });
    }

    private void report(String systemId) {
        Map<String, BridgeListener.PortStatus> ports = new TreeMap<>();
        bridges.get(systemId).ports().forEach((name, port) -> ports.put(name, new BridgeListener.PortStatus(
            OptionalInt.of(port.number()), !downPorts.contains(new PortId(systemId, name)), "")));
        manager.bridge(systemId, bridges.get(systemId).name(), ports, "");
    }

    @Override
    public void endRemoval(MarkedBridge bridge) {
        // removals do not wait here
    }

    @Override
    public CompletionStage<SortedMap<String, SortedMap<String, String>>> marks() {
        return CompletableFuture.completedFuture(new TreeMap<>());
    }

    @Override
    public CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge) {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<SortedMap<String, PortReading>> readPorts(String systemId, String bridge) {
        return CompletableFuture.failedFuture(new IllegalStateException("nothing is counted"));
    }

    @Override
    public void remove(MarkedBridge bridge, Optional<OvsdbAddress> address) {
        bridges.remove(bridge.systemId());
    }
}
