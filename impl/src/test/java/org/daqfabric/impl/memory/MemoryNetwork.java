package org.daqfabric.impl.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;
import org.daqfabric.impl.controller.BridgeDriver;
import org.daqfabric.impl.controller.BridgeListener;
import org.daqfabric.impl.controller.Held;
import org.daqfabric.impl.controller.RuleChannel;
import org.daqfabric.impl.controller.RuleListener;
import org.daqfabric.impl.engine.compile.DatapathIds;
import org.daqfabric.impl.engine.diff.Applied;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A network of switches in memory behind the interfaces of the drivers. Everything takes effect only when
 * {@link #step()} picks it, in a random order within what the protocols allow, so that a test sees every state between.
 */
public final class MemoryNetwork implements RuleChannel, BridgeDriver {
    private final Random random;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<Long, Node> byDatapath = new HashMap<>();
    private final Map<PortId, PortId> cables = new HashMap<>();
    private final Set<PortId> cut = new HashSet<>();
    private final Map<Long, Set<Integer>> watched = new TreeMap<>();
    private final List<Delivery> pending = new ArrayList<>();
    private BridgeListener bridgeListener;
    private RuleListener ruleListener;
    private int messages;
    private long changes;

    /** Something on its way; of the deliveries of one lane only the first can arrive. */
    private record Delivery(String lane, Runnable effect) {
    }

    /** One switch; its name is its node's system-id. */
    private static final class Node {
        private final String name;
        private final long datapathId;
        private Optional<Bridge> bridge = Optional.empty();
        private Program program = Program.EMPTY;
        private boolean connected;

        Node(String name, long datapathId) {
            this.name = name;
            this.datapathId = datapathId;
        }
    }

    public MemoryNetwork(Random random) {
        this.random = random;
    }

    public void listeners(BridgeListener bridges, RuleListener rules) {
        bridgeListener = bridges;
        ruleListener = rules;
    }

    /** Adds the switches and cables of a fabric that are not there yet; the switches call the controller. */
    public void build(Topology topology) {
        for (String name : topology.roles().keySet()) {
            if (!nodes.containsKey(name)) {
                Node node = new Node(name, DatapathIds.of(topology.spec().name(), name));
                nodes.put(name, node);
                byDatapath.put(node.datapathId, node);
                deliver("db " + name, () -> bridgeListener.nodeConnected(name, "3.1.0", Set.of("system", "internal")));
            }
            for (Segment segment : topology.segments(name)) {
                cables.put(segment.lower(), segment.upper());
                cables.put(segment.upper(), segment.lower());
            }
        }
    }

    @Override
    public void put(String systemId, Optional<OvsdbAddress> address, Bridge wanted) {
        deliver("db " + systemId, () -> {
            Node node = nodes.get(systemId);
            if (node == null) {
                return;
            }
            changes++;
            node.bridge = Optional.of(wanted);
            reportBridge(node);
            if (!node.connected) {
                connect(node);
            } else {
                wanted.ports().forEach((name, port) -> reportPort(node, name, port.number()));
            }
        });
    }

    @Override
    public CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge) {
        return CompletableFuture.completedFuture(List.of());
    }

    private void connect(Node node) {
        node.connected = true;
        deliver("of " + node.name, () -> ruleListener.switchConnected(node.datapathId));
        node.bridge.ifPresent(bridge ->
            bridge.ports().forEach((name, port) -> reportPort(node, name, port.number())));
    }

    @Override
    public void remove(String systemId, String bridge) {
        deliver("db " + systemId, () -> {
            Node node = nodes.get(systemId);
            if (node != null) {
                node.bridge = Optional.empty();
                node.program = Program.EMPTY;
                node.connected = false;
                deliver("of " + node.name, () -> ruleListener.switchDisconnected(node.datapathId));
            }
        });
    }

    @Override
    public CompletionStage<Held> read(long datapathId) {
        CompletableFuture<Held> answer = new CompletableFuture<>();
        Node node = byDatapath.get(datapathId);
        deliver("of " + node.name, () -> {
            if (node.connected) {
                answer.complete(new Held(node.program, Program.EMPTY, 0));
            } else {
                answer.completeExceptionally(new IllegalStateException("gone"));
            }
        });
        return answer;
    }

    @Override
    public CompletionStage<List<Refusal>> send(long datapathId, List<Message> batch) {
        CompletableFuture<List<Refusal>> answer = new CompletableFuture<>();
        Node node = byDatapath.get(datapathId);
        List<Message> order = new ArrayList<>(batch);
        Collections.shuffle(order, random);
        messages += batch.size();
        for (Message message : order) {
            deliver("of " + node.name, () -> {
                if (node.connected) {
                    changes++;
                    node.program = Applied.to(node.program, List.of(message));
                }
            });
        }
        deliver("of " + node.name, () -> {
            if (node.connected) {
                answer.complete(List.of());
            } else {
                answer.completeExceptionally(new IllegalStateException("gone"));
            }
        });
        return answer;
    }

    @Override
    public void watchCabling(long datapathId, Set<Integer> ports) {
        watched.put(datapathId, Set.copyOf(ports));
    }

    /** Every port that the controller has watched tells the port at the other end of its cable which it is. */
    public void checkCabling() {
        watched.forEach((datapathId, numbers) -> {
            Node node = byDatapath.get(datapathId);
            node.bridge.ifPresent(bridge -> bridge.ports().forEach((name, port) -> {
                PortId near = new PortId(node.name, name);
                PortId far = cables.get(near);
                if (numbers.contains(port.number()) && far != null && carrier(near)) {
                    Node hearing = nodes.get(far.switchName());
                    deliver("of " + hearing.name, () -> hearing.bridge.map(there -> there.ports().get(far.port()))
                        .ifPresent(there -> ruleListener.peerSeen(hearing.datapathId, there.number(), datapathId,
                            port.number())));
                }
            }));
        });
    }

    /** Switches with ports whose cables are checked. */
    public Set<String> watched() {
        Set<String> names = new TreeSet<>();
        watched.forEach((datapathId, ports) -> {
            if (!ports.isEmpty()) {
                names.add(byDatapath.get(datapathId).name);
            }
        });
        return names;
    }

    /** Takes the carrier from a link or gives it back; both ends see it. */
    public void carrier(Segment segment, boolean up) {
        if (up) {
            cut.remove(segment.id());
        } else {
            cut.add(segment.id());
        }
        for (PortId port : List.of(segment.lower(), segment.upper())) {
            Node node = nodes.get(port.switchName());
            node.bridge.map(bridge -> bridge.ports().get(port.port())).ifPresent(there -> {
                reportPort(node, port.port(), there.number());
                deliver("db " + node.name, () -> reportBridge(node));
            });
        }
    }

    /** The switch loses its rules and its connections, and connects again. */
    public void restart(String name) {
        Node node = nodes.get(name);
        node.program = Program.EMPTY;
        deliver("of " + name, () -> ruleListener.switchDisconnected(node.datapathId));
        deliver("of " + name, () -> connect(node));
    }

    /** All switches call the controller anew, as they do when it was away. */
    public void reconnect() {
        pending.clear();
        for (Node node : nodes.values()) {
            node.connected = false;
            deliver("db " + node.name, () -> {
                bridgeListener.nodeConnected(node.name, "3.1.0", Set.of("system", "internal"));
                reportBridge(node);
            });
            if (node.bridge.isPresent()) {
                connect(node);
            }
        }
    }

    private void reportPort(Node node, String port, int number) {
        deliver("of " + node.name, () -> {
            if (node.connected) {
                ruleListener.portChanged(node.datapathId, number, carrier(new PortId(node.name, port)));
            }
        });
    }

    private void reportBridge(Node node) {
        SortedMap<String, BridgeListener.PortStatus> ports = new TreeMap<>();
        node.bridge.ifPresent(bridge -> bridge.ports().forEach((name, port) ->
            ports.put(name, new BridgeListener.PortStatus(OptionalInt.of(port.number()),
                carrier(new PortId(node.name, name)), ""))));
        node.bridge.ifPresent(bridge -> bridgeListener.bridge(node.name, bridge.name(), ports, ""));
    }

    private boolean carrier(PortId port) {
        PortId far = cables.get(port);
        return far == null || !cut.contains(port) && !cut.contains(far);
    }

    private void deliver(String lane, Runnable effect) {
        pending.add(new Delivery(lane, effect));
    }

    /** Lets one thing happen; false if nothing is on its way. */
    public boolean step() {
        if (pending.isEmpty()) {
            return false;
        }
        String lane = pending.get(random.nextInt(pending.size())).lane();
        for (Delivery delivery : pending) {
            if (delivery.lane().equals(lane)) {
                pending.remove(delivery);
                delivery.effect().run();
                return true;
            }
        }
        throw new IllegalStateException();
    }

    /** What every switch with a bridge holds. */
    public Map<String, Program> programs() {
        Map<String, Program> programs = new TreeMap<>();
        nodes.values().stream().filter(node -> node.bridge.isPresent())
            .forEach(node -> programs.put(node.name, node.program));
        return programs;
    }

    /** The bridge of a switch, if it has one. */
    public Optional<Bridge> bridge(String name) {
        return nodes.get(name).bridge;
    }

    /** The numbers of the ports the switches have. */
    public PortNumbers numbers() {
        SortedMap<String, SortedMap<String, Integer>> numbers = new TreeMap<>();
        nodes.values().forEach(node -> node.bridge.ifPresent(bridge -> {
            SortedMap<String, Integer> ports = new TreeMap<>();
            bridge.ports().forEach((name, port) -> ports.put(name, port.number()));
            numbers.put(node.name, ports);
        }));
        return new PortNumbers(numbers);
    }

    /** Names of the links without carrier. */
    public Set<PortId> cut() {
        return Set.copyOf(cut);
    }

    /** Counts the changes of what switches hold. */
    public long changes() {
        return changes;
    }

    /** Rule and group messages sent so far. */
    public int messages() {
        return messages;
    }
}
