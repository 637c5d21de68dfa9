package org.daqfabric.impl.memory;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.engine.identity.DatapathIds;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A network of switches in memory behind the interfaces of the drivers. A message takes effect only when {@link
 * #step()} picks it, in a random order within what the protocols allow, so that a test sees every state in between. A
 * fault takes effect at once; the controller learns of it when {@code step} picks the message that says so.
 */
public final class MemoryNetwork implements RuleChannel, BridgeDriver {
    private static final Set<String> INTERFACE_TYPES = Set.of("system", "internal");

    public final MemoryPorts devices;
    private final NetworkState state;
    private final MemoryOpenFlow openFlow;
    private final MemoryOvsdb ovsdb;
    private long accidents;

    /** Sees every change the controller makes. */
    public interface Watcher {
        /** A change is about to be made. */
        default void before() {
        }

        /** A change was made. */
        default void after(String switchName, Object change, Knowledge sentWith) {
        }
    }

    public MemoryNetwork(Random random) {
        this(random, INTERFACE_TYPES);
    }

    /**
     * Creates an empty network.
     *
     * @param interfaceTypes what the switches can create ({@code iface_types})
     */
    public MemoryNetwork(Random random, Set<String> interfaceTypes) {
        state = new NetworkState(random, interfaceTypes);
        openFlow = new MemoryOpenFlow(state);
        devices = new MemoryPorts(openFlow, state);
        ovsdb = new MemoryOvsdb(state, openFlow);
    }

    public void listeners(BridgeListener bridges, RuleListener rules) {
        state.bridgeListener = bridges;
        state.ruleListener = rules;
    }

    public void watch(Watcher who) {
        state.watcher = who;
    }

    /**
     * Adds the nodes, switches and cables of a fabric that are not there yet; the nodes call the controller. A switch
     * that is configured to have another bridge takes its cables there when its bridge is removed. Switches of several
     * fabrics must differ in their names.
     */
    public void build(Topology topology) {
        for (String name : topology.roles().keySet()) {
            Switch description = topology.switchOf(name);
            String key = MemorySwitch.key(description.systemId(), description.bridge());
            if (!state.bridges.containsKey(key)) {
                MemoryNode node = state.nodes.computeIfAbsent(description.systemId(), systemId -> {
                    MemoryNode added = new MemoryNode(systemId);
                    ovsdb.add(added);
                    return added;
                });
                MemorySwitch added = new MemorySwitch(DatapathIds.of(topology.spec().name(),
                    description.systemId(), description.bridge()), node, description.bridge());
                node.switches.add(added);
                state.bridges.put(key, added);
                openFlow.add(added);
            }
            state.configure(name, state.bridges.get(key));
            topology.segments(name).forEach(state.links::add);
        }
    }

    /** Delivers one message; false if nothing is undelivered but to and from frozen switches. */
    public boolean step() {
        return state.deliveries.deliverOne(state::isFrozen);
    }

    /** The controller's store answers, before or after what else is undelivered now. */
    public void store(Runnable answer) {
        state.deliveries.send(new DeliveryQueue.Channel(DeliveryQueue.Protocol.STORE, ""), answer);
    }

    @Override
    public void put(String systemId, Optional<OvsdbAddress> address, Bridge bridge) {
        ovsdb.put(systemId, address, bridge);
    }

    @Override
    public void remove(MarkedBridge bridge, Optional<OvsdbAddress> address) {
        ovsdb.remove(bridge, address);
    }

    @Override
    public void endRemoval(MarkedBridge bridge) {
        ovsdb.endRemoval(bridge);
    }

    @Override
    public CompletionStage<SortedMap<String, SortedMap<String, String>>> marks() {
        return ovsdb.marks();
    }

    @Override
    public CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge) {
        return ovsdb.compare(switchName, systemId, bridge);
    }

    @Override
    public CompletionStage<SortedMap<String, PortReading>> readPorts(String systemId, String bridge) {
        return ovsdb.readPorts(systemId, bridge);
    }

    @Override
    public CompletionStage<InstalledState> read(long datapathId) {
        return openFlow.read(datapathId);
    }

    @Override
    public CompletionStage<List<Refusal>> send(long datapathId, List<Message> batch) {
        return openFlow.send(datapathId, batch);
    }

    @Override
    public CompletionStage<Map<Integer, Long>> held(long datapathId) {
        return openFlow.held(datapathId);
    }

    @Override
    public void clearPortBits(long datapathId, int port) {
        openFlow.clearPortBits(datapathId, port);
    }

    @Override
    public void watchCabling(long datapathId, Set<Integer> ports) {
        openFlow.watchCabling(datapathId, ports);
    }

    /** Switches with ports whose cables are checked. */
    public Set<String> watched() {
        return openFlow.probed();
    }

    /** Takes the carrier from a link or gives it back; both ends see it. */
    public void carrier(Segment segment, boolean up) {
        if (state.links.setCarrier(segment, up)) {
            accidents++;
            for (PortId port : List.of(segment.lower(), segment.upper())) {
                MemorySwitch end = find(port.switchName());
                state.deliveries.send(end.node.ovsdb(), () -> ovsdb.reportBridge(end));
            }
            openFlow.reportPorts(segment);
        }
    }

    /** Lets a link with carrier lose all packets, or ends that; BFD sees it at both ends. */
    public void silent(Segment segment, boolean silent) {
        if (state.links.setSilent(segment, silent)) {
            accidents++;
            openFlow.reportPorts(segment);
        }
    }

    /** The switches of a node lose their rules and their OpenFlow connections, and connect again. */
    public void restart(String name) {
        for (MemorySwitch restarted : neighbours(name)) {
            openFlow.disconnect(restarted);
            restarted.program = Program.EMPTY;
            restarted.unread = true;
        }
        accidents++;
        reconnect(name);
    }

    /**
     * Ends the process that runs a switch and the others of its node; their links go down.
     *
     * @param withDatabase whether the node's OVSDB server ends, too
     */
    public void kill(String name, boolean withDatabase) {
        neighbours(name).forEach(openFlow::disconnect);
        if (withDatabase) {
            ovsdb.disconnect(find(name).node);
        }
        neighbours(name).forEach(each -> each.killed = true);
        accidents++;
        neighbours(name).forEach(openFlow::reportLinksOf);
    }

    /**
     * Starts the process that runs a switch and the others of its node again; they then connect.
     *
     * @param keepingRules whether they still have their rules
     */
    public void revive(String name, boolean keepingRules) {
        start(name, keepingRules);
        reconnect(name);
    }

    /** The same, and they do not connect. */
    public void start(String name, boolean keepingRules) {
        accidents++;
        for (MemorySwitch started : neighbours(name)) {
            started.killed = false;
            if (!keepingRules) {
                started.program = Program.EMPTY;
                started.unread = true;
            }
        }
        neighbours(name).forEach(openFlow::reportLinksOf);
    }

    /** Lets the switches of a node do nothing at all for a while, or ends that; nothing that was sent to it is lost. */
    public void freeze(String name, boolean frozen) {
        neighbours(name).forEach(each -> each.frozen = frozen);
        accidents++;
        neighbours(name).forEach(openFlow::reportLinksOf);
    }

    /** Cuts the connections of a switch's node to the controller, with all that is undelivered; it keeps forwarding. */
    public void isolate(String name) {
        neighbours(name).forEach(openFlow::disconnect);
        ovsdb.disconnect(find(name).node);
    }

    /** Lets a switch's node connect again where it is not connected. */
    public void reconnect(String name) {
        if (find(name).isHalted()) {
            return;
        }
        if (!find(name).node.connected) {
            ovsdb.connect(find(name).node);
        }
        neighbours(name).stream().filter(each -> !each.connected && each.bridge.isPresent())
            .forEach(openFlow::connect);
    }

    /** All switches that can connect to the controller do so as if for the first time: it has restarted. */
    public void reconnect() {
        state.deliveries.clear();
        state.links.forgetReports();
        for (MemorySwitch each : state.bridges.values()) {
            each.unread = true;
            if (each.node.connected && each == each.node.switches.get(0)) {
                ovsdb.connect(each.node);
            }
            if (each.connected || !each.isHalted() && each.node.connected && each.bridge.isPresent()) {
                openFlow.connect(each);
            }
        }
    }

    /** From now on OVSDB is slower than everything over OpenFlow. */
    public void slowDatabases() {
        state.deliveries.deliverOvsdbLast();
    }

    /** The switch refuses the next changes. */
    public void refuse(String name, int count) {
        find(name).refusalsToCome = count;
    }

    /** The next reads of the switch fail. */
    public void failReads(String name, int count) {
        find(name).failingReadsToCome = count;
    }

    /** The next transactions that concern the switch's bridge fail. */
    public void failTransactions(String name, int count) {
        find(name).failingTransactionsToCome = count;
    }

    /** Somebody else changes our rules and groups in a switch. */
    public void edit(String name, UnaryOperator<Program> how) {
        MemorySwitch edited = find(name);
        edited.program = how.apply(edited.program);
        accidents++;
    }

    /** Somebody else changes the rules and groups in a switch that are not ours. */
    public void editForeign(String name, Program foreign) {
        find(name).foreign = foreign;
    }

    /** Rules in a switch that are not ours. */
    public Program foreign(String name) {
        return find(name).foreign;
    }

    /** Another name of the switch, under which it is found also when its name is that of another bridge. */
    public String lasting(String name) {
        return find(name).key();
    }

    /** The node that runs a switch. */
    public String systemId(String name) {
        return find(name).node.systemId;
    }

    private MemorySwitch find(String name) {
        return state.bridges.containsKey(name) ? state.bridges.get(name) : state.at(name);
    }

    /** The switches of a switch's node, with itself. */
    private List<MemorySwitch> neighbours(String name) {
        return find(name).node.switches;
    }

    /** Our rules and groups in every switch with a bridge. */
    public Map<String, Program> programs() {
        Map<String, Program> programs = new TreeMap<>();
        state.names().stream().filter(name -> find(name).bridge.isPresent())
            .forEach(name -> programs.put(name, find(name).program));
        return programs;
    }

    /** The bridge of a switch, if it has one. */
    public Optional<Bridge> bridge(String name) {
        return find(name).bridge;
    }

    /** All bridges, by system-id and name. */
    public Map<String, Bridge> bridges() {
        Map<String, Bridge> bridges = new TreeMap<>();
        state.bridges.forEach((key, each) -> each.bridge.ifPresent(bridge -> bridges.put(key, bridge)));
        return bridges;
    }

    /** The numbers of the ports the switches have. */
    public PortNumbers numbers() {
        SortedMap<String, SortedMap<String, Integer>> numbers = new TreeMap<>();
        state.names().forEach(switchName -> find(switchName).bridge.ifPresent(bridge -> {
            SortedMap<String, Integer> ports = new TreeMap<>();
            bridge.ports().forEach((name, port) -> ports.put(name, port.number()));
            numbers.put(switchName, ports);
        }));
        return new PortNumbers(numbers);
    }

    /** Names of the links that are down, for whatever reason. */
    public Set<PortId> down() {
        return state.links.down();
    }

    /** Number of changes that the controller has made to switches. */
    public long changes() {
        return state.changes;
    }

    /** Number of faults and other changes to links and switches that the controller did not make. */
    public long accidents() {
        return accidents;
    }

    /** Rule and group messages sent so far. */
    public int messages() {
        return openFlow.messages();
    }
}
