package org.daqfabric.impl.memory;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.memory.MemoryNetwork.Knowledge;

/** The OVSDB side of a network in memory: connections and bridges. */
final class MemoryOvsdb implements BridgeDriver {
    private final NetworkState state;
    private final MemoryOpenFlow openFlow;

    /**
     * The OVSDB side.
     *
     * @param openFlow connects once a switch has its bridge
     */
    MemoryOvsdb(NetworkState state, MemoryOpenFlow openFlow) {
        this.state = state;
        this.openFlow = openFlow;
    }

    /** A new switch calls the controller. */
    void add(MemorySwitch added) {
        state.deliveries.send(added.ovsdb(), () -> reportConnected(added));
    }

    void connect(MemorySwitch to) {
        to.databaseConnected = true;
        state.deliveries.send(to.ovsdb(), () -> {
            reportConnected(to);
            if (to.desired.isPresent()) {
                setUp(to, state.knowledge());
            } else {
                reportBridge(to);
            }
        });
    }

    void disconnect(MemorySwitch from) {
        if (from.databaseConnected) {
            from.databaseConnected = false;
            state.deliveries.lose(from.ovsdb(), () -> state.bridgeListener.nodeDisconnected(from.name));
        }
    }

    private void reportConnected(MemorySwitch of) {
        state.bridgeListener.nodeConnected(of.name, "3.1.0", state.interfaceTypes);
    }

    @Override
    public void put(String systemId, Optional<OvsdbAddress> address, Bridge bridge) {
        MemorySwitch known = state.switches.get(systemId);
        if (known == null) {
            return;
        }
        known.desired = Optional.of(bridge);
        Knowledge with = state.knowledge();
        state.deliveries.send(known.ovsdb(), () -> {
            if (known.databaseConnected && known.desired.isPresent()) {
                setUp(known, with);
            }
        });
    }

    private void setUp(MemorySwitch of, Knowledge with) {
        Bridge desired = of.desired.get();
        if (of.bridge.equals(of.desired)) {
            reportBridge(of);
            return;
        }
        state.change(of, desired, with, () -> of.bridge = of.desired);
        reportBridge(of);
        if (!of.isHalted()) {
            if (!of.connected) {
                openFlow.connect(of);
            } else {
                desired.ports().forEach((name, port) -> openFlow.reportPort(of, name, port.number()));
            }
        }
    }

    @Override
    public void remove(String systemId, String bridge) {
        MemorySwitch known = state.switches.get(systemId);
        if (known == null) {
            return;
        }
        state.deliveries.send(known.ovsdb(), () -> {
            known.desired = Optional.empty();
            known.bridge = Optional.empty();
            known.program = Program.EMPTY;
            known.connected = false;
            state.deliveries.send(known.openFlow(), () -> state.ruleListener.switchDisconnected(known.datapathId));
        });
    }

    @Override
    public CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge) {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<Map<String, Map<String, Long>>> statistics(String systemId, String bridge) {
        return CompletableFuture.failedFuture(new IllegalStateException("nothing is counted"));
    }

    void reportBridge(MemorySwitch of) {
        if (!of.databaseConnected || of.bridge.isEmpty()) {
            return;
        }
        SortedMap<String, BridgeListener.PortStatus> ports = new TreeMap<>();
        of.bridge.get().ports().forEach((name, port) -> {
            PortId id = new PortId(of.name, name);
            boolean carrier = state.links.hasCarrier(id);
            state.links.reportedCarrier(id, carrier);
            ports.put(name, new BridgeListener.PortStatus(OptionalInt.of(port.number()), carrier, ""));
        });
        state.bridgeListener.bridge(of.name, of.bridge.get().name(), ports, "");
    }
}
