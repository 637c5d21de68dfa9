package org.daqfabric.impl.memory;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.memory.MemoryNetwork.Watcher;

/** What the parts of a network in memory share. */
final class NetworkState {
    /** By {@link MemorySwitch#key}. */
    final Map<String, MemorySwitch> bridges = new TreeMap<>();
    /** The bridges that a switch has and had, by its name; the one it is configured to have comes last. */
    private final Map<String, List<MemorySwitch>> bridgesOf = new TreeMap<>();
    /** By system-id. */
    final Map<String, MemoryNode> nodes = new TreeMap<>();
    final MemoryLinks links = new MemoryLinks(name -> at(name).isHalted());
    final DeliveryQueue deliveries;
    final Random random;
    /** What the switches can create ({@code iface_types}). */
    final Set<String> interfaceTypes;
    Watcher watcher = new Watcher() {
    };
    BridgeListener bridgeListener;
    RuleListener ruleListener;
    long changes;

    NetworkState(Random random, Set<String> interfaceTypes) {
        this.random = random;
        this.interfaceTypes = interfaceTypes;
        deliveries = new DeliveryQueue(random);
    }

    /** A switch is configured to have a bridge. */
    void configure(String name, MemorySwitch bridge) {
        List<MemorySwitch> all = bridgesOf.computeIfAbsent(name, unused -> new ArrayList<>());
        all.remove(bridge);
        all.add(bridge);
        bridge.names.add(name);
    }

    Set<String> names() {
        return bridgesOf.keySet();
    }

    /** The bridge that has a switch's cables: one that it had before keeps them as long as that exists. */
    MemorySwitch at(String name) {
        List<MemorySwitch> all = bridgesOf.get(name);
        return all.stream().filter(each -> each.bridge.isPresent()).findFirst().orElse(all.getLast());
    }

    /** A port of a bridge by the name of the switch that has a cable there. */
    PortId portOf(MemorySwitch bridge, String port) {
        return bridge.names.stream().map(name -> new PortId(name, port)).filter(id -> links.at(id) != null)
            .findFirst().orElse(new PortId(bridge.names.iterator().next(), port));
    }

    /** Whether the cables of the switch of a port, if it has any, are in this bridge. */
    boolean hasCables(MemorySwitch bridge, PortId port) {
        return links.at(port) == null || at(port.switchName()) == bridge;
    }

    /** Whether nothing is exchanged over a connection. */
    boolean isFrozen(DeliveryQueue.Channel channel) {
        return switch (channel.protocol()) {
            case OVSDB -> nodes.get(channel.peer()).isFrozen();
            case OPENFLOW -> bridges.get(channel.peer()).frozen;
            case STORE -> false;
        };
    }

    /** Makes a change that the controller sent, and shows it to the watcher. */
    void change(MemorySwitch of, Object change, Knowledge sentWith, Runnable effect) {
        watcher.before();
        changes++;
        effect.run();
        of.names.forEach(name -> watcher.after(name, change, sentWith));
    }

    /** What the controller knows at this moment. */
    Knowledge knowledge() {
        Set<String> unread = new HashSet<>();
        bridges.values().stream().filter(each -> each.unread).forEach(each -> unread.addAll(each.names));
        Set<String> away = new HashSet<>();
        bridges.values().stream().filter(each -> !each.connected && !each.isHalted())
            .forEach(each -> away.addAll(each.names));
        return new Knowledge(links.knownDown(), unread, away);
    }
}
