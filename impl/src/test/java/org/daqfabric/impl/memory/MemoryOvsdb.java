package org.daqfabric.impl.memory;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.PortReading;
import org.eclipse.jdt.annotation.Nullable;

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

    /** A new node calls the controller. */
    void add(MemoryNode added) {
        state.deliveries.send(added.ovsdb(), () -> reportConnected(added));
    }

    void connect(MemoryNode to) {
        to.connected = true;
        state.deliveries.send(to.ovsdb(), () -> {
            reportConnected(to);
            for (MemorySwitch each : to.switches) {
                if (each.desired.isPresent()) {
                    setUp(each, state.knowledge());
                } else {
                    reportBridge(each);
                }
            }
            to.switches.forEach(this::removeLeft);
        });
    }

    void disconnect(MemoryNode from) {
        if (from.connected) {
            from.connected = false;
            state.deliveries.lose(from.ovsdb(), () -> state.bridgeListener.nodeDisconnected(from.systemId));
        }
    }

    private void reportConnected(MemoryNode of) {
        state.bridgeListener.nodeConnected(of.systemId, "3.1.0", state.interfaceTypes);
    }

    private @Nullable MemorySwitch find(String systemId, String bridge) {
        MemoryNode node = state.nodes.get(systemId);
        return node == null ? null
            : node.switches.stream().filter(each -> each.bridgeName.equals(bridge)).findFirst().orElse(null);
    }

    @Override
    public void put(String systemId, Optional<OvsdbAddress> address, Bridge bridge) {
        MemorySwitch known = find(systemId, bridge.name());
        if (known == null) {
            return;
        }
        known.desired = Optional.of(bridge);
        known.leaving.remove(new MarkedBridge(systemId, bridge.name(), bridge.fabric()));
        Knowledge with = state.knowledge();
        state.deliveries.send(known.node.ovsdb(), () -> {
            if (known.node.connected && known.desired.isPresent()) {
                setUp(known, with);
                removeLeft(known);
            }
        });
    }

    private void setUp(MemorySwitch of, Knowledge with) {
        if (fails(of)) {
            reportFailure(of);
            state.deliveries.send(of.node.ovsdb(), () -> {
                if (of.node.connected && of.desired.isPresent()) {
                    setUp(of, with);
                }
            });
            return;
        }
        Optional<Bridge> possible = of.desired.map(desired -> without(of.node.taken(of).keySet(),
            desired.surplusStays() ? withPortsOf(of.bridge, desired) : desired));
        Bridge desired = possible.get();
        if (of.bridge.equals(possible)) {
            reportBridge(of);
            return;
        }
        if (of.bridge.isPresent() && of.datapathId != desired.datapathId()) {
            openFlow.disconnect(of);
            of.unread = true;
        }
        state.change(of, desired, with, () -> {
            of.bridge = possible;
            of.datapathId = desired.datapathId();
        });
        reportBridge(of);
        if (!of.isHalted()) {
            if (!of.connected) {
                openFlow.connect(of);
            } else {
                desired.ports().forEach((name, port) -> openFlow.reportPort(of, name, port.number()));
            }
        }
    }

    /** Whether the next transaction of a bridge fails. */
    private static boolean fails(MemorySwitch of) {
        if (of.failingTransactionsToCome == 0) {
            return false;
        }
        of.failingTransactionsToCome--;
        return true;
    }

    private static Bridge withPortsOf(Optional<Bridge> existing, Bridge bridge) {
        return bridge.with(existing.map(Bridge::ports).orElseGet(TreeMap::new), false);
    }

    private static Bridge without(Set<String> taken, Bridge bridge) {
        SortedMap<String, Bridge.Port> ports = new TreeMap<>(bridge.ports());
        ports.keySet().removeAll(taken);
        return bridge.withPorts(ports);
    }

    @Override
    public void remove(MarkedBridge bridge, Optional<OvsdbAddress> address) {
        MemorySwitch known = find(bridge.systemId(), bridge.bridge());
        if (known == null) {
            return;
        }
        if (known.desired.isPresent() && known.desired.get().fabric().equals(bridge.fabric())) {
            known.desired = Optional.empty();
        }
        known.leaving.add(bridge);
        state.deliveries.send(known.node.ovsdb(), () -> removeLeft(known));
    }

    /** Removes a bridge that its fabric has left, unless another fabric has it, and reports that it is gone. */
    private void removeLeft(MemorySwitch of) {
        if (!of.node.connected) {
            return;
        }
        for (MarkedBridge left : List.copyOf(of.leaving)) {
            boolean present = of.bridge.isPresent() && of.bridge.get().fabric().equals(left.fabric());
            boolean taken = of.desired.isPresent() || state.bridgeListener.fabricOf(left.systemId(), left.bridge())
                .filter(owner -> !owner.equals(left.fabric())).isPresent();
            if (present && !taken) {
                if (fails(of)) {
                    state.deliveries.send(of.node.ovsdb(), () -> removeLeft(of));
                    continue;
                }
                delete(of);
            }
            if (!present || !taken) {
                of.leaving.remove(left);
                state.bridgeListener.bridgeGone(left);
            }
        }
    }

    private void delete(MemorySwitch of) {
        state.change(of, of.bridge.get(), state.knowledge(), () -> {
            of.bridge = Optional.empty();
            of.program = Program.EMPTY;
        });
        openFlow.disconnect(of);
        // other bridges of the node get the ports that this one had, and the switch's bridge now its cables
        of.node.switches.stream().filter(each -> each != of).forEach(each ->
            state.deliveries.send(each.node.ovsdb(), () -> {
                if (each.node.connected && each.desired.isPresent()) {
                    setUp(each, state.knowledge());
                }
            }));
        of.names.stream().map(state::at).distinct().filter(each -> each != of).forEach(each -> {
            state.deliveries.send(each.node.ovsdb(), () -> reportBridge(each));
            openFlow.reportLinksOf(each);
        });
    }

    @Override
    public void endRemoval(MarkedBridge bridge) {
        MemorySwitch known = find(bridge.systemId(), bridge.bridge());
        if (known != null) {
            known.leaving.remove(bridge);
        }
    }

    @Override
    public CompletionStage<SortedMap<String, SortedMap<String, String>>> marks() {
        SortedMap<String, SortedMap<String, String>> marks = new TreeMap<>();
        state.nodes.values().stream().filter(each -> each.connected).forEach(node -> {
            SortedMap<String, String> ofNode = new TreeMap<>();
            node.switches.forEach(each ->
                each.bridge.ifPresent(bridge -> ofNode.put(bridge.name(), bridge.fabric())));
            marks.put(node.systemId, ofNode);
        });
        return CompletableFuture.completedFuture(marks);
    }

    @Override
    public CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge) {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<SortedMap<String, PortReading>> readPorts(String systemId, String bridge) {
        return CompletableFuture.failedFuture(new IllegalStateException("nothing is counted"));
    }

    private void reportFailure(MemorySwitch of) {
        state.bridgeListener.bridge(of.node.systemId, of.bridgeName, portsOf(of), "the transaction failed");
    }

    void reportBridge(MemorySwitch of) {
        if (!of.node.connected || of.bridge.isEmpty()) {
            return;
        }
        StringJoiner error = new StringJoiner("; ");
        Map<String, String> taken = of.node.taken(of);
        of.desired.ifPresent(desired -> desired.ports().keySet().stream().filter(taken::containsKey)
            .forEach(port -> error.add("port " + port + " is in bridge " + taken.get(port))));
        state.bridgeListener.bridge(of.node.systemId, of.bridge.get().name(), portsOf(of), error.toString());
    }

    private SortedMap<String, BridgeListener.PortStatus> portsOf(MemorySwitch of) {
        SortedMap<String, BridgeListener.PortStatus> ports = new TreeMap<>();
        of.bridge.ifPresent(bridge -> bridge.ports().forEach((name, port) -> {
            PortId id = state.portOf(of, name);
            boolean hasCables = state.hasCables(of, id);
            boolean carrier = hasCables && state.links.hasCarrier(id);
            if (hasCables) {
                state.links.reportedCarrier(id, carrier);
            }
            ports.put(name, new BridgeListener.PortStatus(OptionalInt.of(port.number()), carrier, ""));
        }));
        return ports;
    }
}
