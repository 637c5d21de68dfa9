package org.daqfabric.impl.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.engine.compile.DatapathIds;
import org.daqfabric.impl.engine.diff.Applied;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A network of switches in memory behind the interfaces of the drivers. Everything takes effect only when
 * {@link #step()} picks it, in a random order within what the protocols allow, so that a test sees every state between.
 * What goes wrong goes wrong at once; that the controller hears of it is again something that {@code step} picks.
 */
public final class MemoryNetwork implements RuleChannel, BridgeDriver {
    private static final Set<String> TYPES = Set.of("system", "internal");

    private final Random random;
    private final Set<String> types;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<Long, Node> byDatapath = new HashMap<>();
    private final Map<PortId, Segment> links = new HashMap<>();
    private final Set<PortId> cut = new HashSet<>();
    private final Set<PortId> dead = new HashSet<>();
    /** Ports of which the controller was last told, over OpenFlow or OVSDB, that they carry nothing. */
    private final Set<PortId> toldDead = new HashSet<>();
    private final Set<PortId> toldCut = new HashSet<>();
    private final Map<Long, Set<Integer>> watched = new TreeMap<>();
    private final List<Delivery> pending = new ArrayList<>();
    private Watcher watcher = new Watcher() {
    };
    private BridgeListener bridgeListener;
    private RuleListener ruleListener;
    private boolean slowDatabases;
    private int messages;
    private long changes;
    private long accidents;

    /**
     * Something on its way; of the deliveries of one lane only the first can arrive.
     *
     * @param answer who waits for it; null if nobody does
     */
    private record Delivery(String lane, Runnable effect, CompletableFuture<?> answer) {
    }

    /**
     * What the controller had heard when it sent something.
     *
     * @param down links one end of which was reported to carry nothing
     * @param unread switches that may have lost rules and have not been read since
     */
    public record Knowledge(Set<PortId> down, Set<String> unread) {
    }

    /** Sees every change the controller makes. */
    public interface Watcher {
        /** A change is about to be made. */
        default void before() {
        }

        /** A change was made. */
        default void after(String switchName, Object change, Knowledge sentWith) {
        }
    }

    /** One switch; its name is its node's system-id. */
    private static final class Node {
        private final String name;
        private final long datapathId;
        private Optional<Bridge> bridge = Optional.empty();
        /** What OVSDB must hold once it can be reached. */
        private Optional<Bridge> wish = Optional.empty();
        private Program program = Program.EMPTY;
        private Program foreign = Program.EMPTY;
        private boolean connected;
        private boolean database = true;
        private boolean killed;
        private boolean frozen;
        private boolean unread;
        private int refusals;
        private int failingReads;

        Node(String name, long datapathId) {
            this.name = name;
            this.datapathId = datapathId;
        }

        boolean halted() {
            return killed || frozen;
        }
    }

    public MemoryNetwork(Random random) {
        this(random, TYPES);
    }

    /**
     * Creates an empty network.
     *
     * @param types what the switches can make ({@code iface_types})
     */
    public MemoryNetwork(Random random, Set<String> types) {
        this.random = random;
        this.types = types;
    }

    public void listeners(BridgeListener bridges, RuleListener rules) {
        bridgeListener = bridges;
        ruleListener = rules;
    }

    public void watch(Watcher who) {
        watcher = who;
    }

    /** Adds the switches and cables of a fabric that are not there yet; the switches call the controller. */
    public void build(Topology topology) {
        for (String name : topology.roles().keySet()) {
            if (!nodes.containsKey(name)) {
                Node node = new Node(name, DatapathIds.of(topology.spec().name(), name));
                nodes.put(name, node);
                byDatapath.put(node.datapathId, node);
                deliver("db " + name, () -> bridgeListener.nodeConnected(name, "3.1.0", types));
            }
            for (Segment segment : topology.segments(name)) {
                links.put(segment.lower(), segment);
                links.put(segment.upper(), segment);
            }
        }
    }

    @Override
    public void put(String systemId, Optional<OvsdbAddress> address, Bridge wanted) {
        Node known = nodes.get(systemId);
        if (known == null) {
            return;
        }
        known.wish = Optional.of(wanted);
        Knowledge with = knowledge();
        deliver("db " + systemId, () -> {
            Node node = nodes.get(systemId);
            if (node.database && node.wish.isPresent()) {
                fulfil(node, with);
            }
        });
    }

    private void fulfil(Node node, Knowledge with) {
        Bridge wanted = node.wish.get();
        if (node.bridge.equals(node.wish)) {
            reportBridge(node);
            return;
        }
        watcher.before();
        changes++;
        node.bridge = node.wish;
        watcher.after(node.name, wanted, with);
        reportBridge(node);
        if (!node.halted()) {
            if (!node.connected) {
                connect(node);
            } else {
                wanted.ports().forEach((name, port) -> reportPort(node, name, port.number()));
            }
        }
    }

    @Override
    public CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge) {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<Map<String, Map<String, Long>>> statistics(String systemId, String bridge) {
        return CompletableFuture.failedFuture(new IllegalStateException("nothing is counted"));
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
                node.wish = Optional.empty();
                node.bridge = Optional.empty();
                node.program = Program.EMPTY;
                node.connected = false;
                deliver("of " + node.name, () -> ruleListener.switchDisconnected(node.datapathId));
            }
        });
    }

    @Override
    public CompletionStage<InstalledState> read(long datapathId) {
        CompletableFuture<InstalledState> answer = new CompletableFuture<>();
        Node node = byDatapath.get(datapathId);
        deliver("of " + node.name, () -> {
            if (!node.connected || node.failingReads > 0) {
                node.failingReads -= node.connected ? 1 : 0;
                answer.completeExceptionally(new IllegalStateException("not read"));
            } else {
                node.unread = false;
                answer.complete(new InstalledState(node.program, node.foreign, 0));
            }
        }, answer);
        // what a chain of stages fails with is wrapped
        return answer.thenApply(held -> held);
    }

    @Override
    public CompletionStage<List<Refusal>> send(long datapathId, List<Message> batch) {
        CompletableFuture<List<Refusal>> answer = new CompletableFuture<>();
        Node node = byDatapath.get(datapathId);
        List<Message> order = new ArrayList<>(batch);
        Collections.shuffle(order, random);
        messages += batch.size();
        List<Refusal> refused = new ArrayList<>();
        Knowledge with = knowledge();
        for (Message message : order) {
            deliver("of " + node.name, () -> {
                if (!node.connected) {
                    return;
                }
                Optional<String> error = refusal(node, message);
                if (error.isPresent()) {
                    refused.add(new Refusal(message, error.get()));
                    return;
                }
                watcher.before();
                changes++;
                node.program = Applied.to(node.program, List.of(message));
                watcher.after(node.name, message, with);
            });
        }
        deliver("of " + node.name, () -> {
            if (node.connected) {
                answer.complete(refused);
            } else {
                answer.completeExceptionally(new IllegalStateException("gone"));
            }
        }, answer);
        return answer;
    }

    /** Why a switch refuses a change: because it was told to, or because OpenFlow has it refuse it. */
    private static Optional<String> refusal(Node node, Message message) {
        if (node.refusals > 0) {
            node.refusals--;
            return Optional.of("refused once");
        }
        Set<Integer> groups = node.program.groups().keySet();
        boolean possible = switch (message) {
            case Message.PutRule put -> put.rule().actions().stream().allMatch(action ->
                !(action instanceof Action.ToGroup group) || groups.contains(group.id()));
            case Message.AddGroup add -> !groups.contains(add.group().id());
            case Message.ModifyGroup modify -> groups.contains(modify.group().id());
            case Message.DeleteRule unused -> true;
            case Message.DeleteGroup unused -> true;
        };
        return possible ? Optional.empty() : Optional.of("refused");
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
                Segment link = links.get(near);
                if (numbers.contains(port.number()) && link != null && !isDown(link)) {
                    PortId far = near.equals(link.lower()) ? link.upper() : link.lower();
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
        if (up ? cut.remove(segment.id()) : cut.add(segment.id())) {
            accidents++;
            for (PortId port : List.of(segment.lower(), segment.upper())) {
                deliver("db " + port.switchName(), () -> reportBridge(nodes.get(port.switchName())));
            }
            reportPorts(segment);
        }
    }

    /** Lets a link carry nothing though it has carrier, or lets it carry again; BFD sees it at both ends. */
    public void silent(Segment segment, boolean carriesNothing) {
        if (carriesNothing ? dead.add(segment.id()) : dead.remove(segment.id())) {
            accidents++;
            reportPorts(segment);
        }
    }

    /** The switch loses its rules and its connections, and connects again. */
    public void restart(String name) {
        Node node = nodes.get(name);
        disconnect(node);
        node.program = Program.EMPTY;
        node.unread = true;
        accidents++;
        reconnect(name);
    }

    /**
     * Ends a switch's process; its links die.
     *
     * @param withDatabase whether its OVSDB server goes with it
     */
    public void kill(String name, boolean withDatabase) {
        Node node = nodes.get(name);
        disconnect(node);
        if (withDatabase) {
            disconnectDatabase(node);
        }
        node.killed = true;
        accidents++;
        reportLinksOf(name);
    }

    /**
     * Starts a switch's process again, which then connects.
     *
     * @param keepingRules whether it has its rules still
     */
    public void revive(String name, boolean keepingRules) {
        Node node = nodes.get(name);
        node.killed = false;
        accidents++;
        if (!keepingRules) {
            node.program = Program.EMPTY;
            node.unread = true;
        }
        reconnect(name);
        reportLinksOf(name);
    }

    /** Lets a switch do nothing at all for a while, or go on; nothing of what was sent to it is lost. */
    public void freeze(String name, boolean frozen) {
        nodes.get(name).frozen = frozen;
        accidents++;
        reportLinksOf(name);
    }

    /** Takes from a switch its connections to the controller, and what was on its way over them; it forwards on. */
    public void isolate(String name) {
        disconnect(nodes.get(name));
        disconnectDatabase(nodes.get(name));
    }

    /** Lets a switch connect again where it is not connected. */
    public void reconnect(String name) {
        Node node = nodes.get(name);
        if (node.halted()) {
            return;
        }
        if (!node.database) {
            node.database = true;
            connectDatabase(node);
        }
        if (!node.connected && node.bridge.isPresent()) {
            connect(node);
        }
    }

    private void connectDatabase(Node node) {
        deliver("db " + node.name, () -> {
            bridgeListener.nodeConnected(node.name, "3.1.0", types);
            if (node.wish.isPresent()) {
                fulfil(node, knowledge());
            } else {
                reportBridge(node);
            }
        });
    }

    private void disconnect(Node node) {
        if (node.connected) {
            node.connected = false;
            lose("of " + node.name, () -> ruleListener.switchDisconnected(node.datapathId));
        }
    }

    private void disconnectDatabase(Node node) {
        if (node.database) {
            node.database = false;
            lose("db " + node.name, () -> bridgeListener.nodeDisconnected(node.name));
        }
    }

    /** What was on its way is lost; the controller hears that the connection is, and that nothing will answer. */
    private void lose(String lane, Runnable event) {
        List<Runnable> news = new ArrayList<>(List.of(event));
        for (Delivery delivery : pending) {
            if (delivery.lane().equals(lane) && delivery.answer() != null) {
                news.add(() -> delivery.answer().completeExceptionally(new IllegalStateException("connection lost")));
            }
        }
        pending.removeIf(delivery -> delivery.lane().equals(lane));
        Collections.shuffle(news, random);
        news.forEach(each -> deliver(lane, each));
    }

    /** From now on OVSDB takes longer than anything over OpenFlow. */
    public void slowDatabases() {
        slowDatabases = true;
    }

    /** The switch refuses the next changes. */
    public void refuse(String name, int count) {
        nodes.get(name).refusals = count;
    }

    /** The next reads of the switch fail. */
    public void failReads(String name, int count) {
        nodes.get(name).failingReads = count;
    }

    /** Somebody else changes what a switch holds of ours. */
    public void edit(String name, UnaryOperator<Program> how) {
        Node node = nodes.get(name);
        node.program = how.apply(node.program);
        accidents++;
    }

    /** Somebody else changes what a switch holds that is not ours. */
    public void editForeign(String name, Program foreign) {
        nodes.get(name).foreign = foreign;
    }

    /** Rules in a switch that are not ours. */
    public Program foreign(String name) {
        return nodes.get(name).foreign;
    }

    /** All switches that can call the controller anew, as they do when it was away, and none has told it anything. */
    public void reconnect() {
        pending.clear();
        toldDead.clear();
        toldCut.clear();
        for (Node node : nodes.values()) {
            node.unread = true;
            if (node.database) {
                connectDatabase(node);
            }
            if (node.connected || !node.halted() && node.database && node.bridge.isPresent()) {
                connect(node);
            }
        }
    }

    private void reportLinksOf(String name) {
        links.values().stream().distinct().filter(segment -> segment.lower().switchName().equals(name)
            || segment.upper().switchName().equals(name)).sorted(Comparator.comparing(Segment::id))
            .forEach(this::reportPorts);
    }

    private void reportPorts(Segment segment) {
        for (PortId port : List.of(segment.lower(), segment.upper())) {
            Node node = nodes.get(port.switchName());
            node.bridge.map(bridge -> bridge.ports().get(port.port()))
                .ifPresent(there -> reportPort(node, port.port(), there.number()));
        }
    }

    private void reportPort(Node node, String port, int number) {
        if (node.connected) {
            PortId id = new PortId(node.name, port);
            boolean live = links.get(id) == null || !isDown(links.get(id));
            deliver("of " + node.name, () -> {
                told(toldDead, id, live);
                ruleListener.portChanged(node.datapathId, number, live);
            });
        }
    }

    private void reportBridge(Node node) {
        if (!node.database || node.bridge.isEmpty()) {
            return;
        }
        SortedMap<String, BridgeListener.PortStatus> ports = new TreeMap<>();
        node.bridge.get().ports().forEach((name, port) -> {
            PortId id = new PortId(node.name, name);
            told(toldCut, id, carrier(id));
            ports.put(name, new BridgeListener.PortStatus(OptionalInt.of(port.number()), carrier(id), ""));
        });
        bridgeListener.bridge(node.name, node.bridge.get().name(), ports, "");
    }

    private static void told(Set<PortId> what, PortId port, boolean up) {
        if (up) {
            what.remove(port);
        } else {
            what.add(port);
        }
    }

    private boolean carrier(PortId port) {
        return links.get(port) == null || !cut.contains(links.get(port).id());
    }

    private boolean isDown(Segment segment) {
        return cut.contains(segment.id()) || dead.contains(segment.id())
            || nodes.get(segment.lower().switchName()).halted() || nodes.get(segment.upper().switchName()).halted();
    }

    private Knowledge knowledge() {
        Set<PortId> down = new HashSet<>();
        for (Set<PortId> told : List.of(toldDead, toldCut)) {
            told.stream().map(links::get).filter(Objects::nonNull).map(Segment::id).forEach(down::add);
        }
        Set<String> unread = new HashSet<>();
        nodes.values().stream().filter(node -> node.unread).forEach(node -> unread.add(node.name));
        return new Knowledge(down, unread);
    }

    private void deliver(String lane, Runnable effect) {
        deliver(lane, effect, null);
    }

    private void deliver(String lane, Runnable effect, CompletableFuture<?> answer) {
        pending.add(new Delivery(lane, effect, answer));
    }

    /** Lets one thing happen; false if nothing is on its way but to and from frozen switches. */
    public boolean step() {
        List<Delivery> possible = pending.stream()
            .filter(delivery -> !nodes.get(delivery.lane().substring(3)).frozen).toList();
        if (possible.isEmpty()) {
            return false;
        }
        if (slowDatabases && possible.stream().anyMatch(delivery -> delivery.lane().startsWith("of "))) {
            possible = possible.stream().filter(delivery -> delivery.lane().startsWith("of ")).toList();
        }
        String lane = possible.get(random.nextInt(possible.size())).lane();
        for (Delivery delivery : pending) {
            if (delivery.lane().equals(lane)) {
                pending.remove(delivery);
                delivery.effect().run();
                return true;
            }
        }
        throw new IllegalStateException();
    }

    /** What every switch with a bridge holds of ours. */
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

    /** Names of the links that carry nothing, for whatever reason. */
    public Set<PortId> down() {
        Set<PortId> down = new HashSet<>();
        links.values().stream().filter(this::isDown).forEach(segment -> down.add(segment.id()));
        return down;
    }

    /** Counts the changes the controller made of what switches hold. */
    public long changes() {
        return changes;
    }

    /** Counts what happened to links and switches without the controller. */
    public long accidents() {
        return accidents;
    }

    /** Rule and group messages sent so far. */
    public int messages() {
        return messages;
    }
}
