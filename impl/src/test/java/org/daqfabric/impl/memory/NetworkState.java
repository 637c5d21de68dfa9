package org.daqfabric.impl.memory;

import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.memory.MemoryNetwork.Knowledge;
import org.daqfabric.impl.memory.MemoryNetwork.Watcher;

/** What the parts of a network in memory share. */
final class NetworkState {
    final Map<String, MemorySwitch> switches = new TreeMap<>();
    /** By system-id. */
    final Map<String, MemoryNode> nodes = new TreeMap<>();
    final MemoryLinks links = new MemoryLinks(name -> switches.get(name).isHalted());
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

    /** Makes a change that the controller sent, and shows it to the watcher. */
    void change(MemorySwitch of, Object change, Knowledge sentWith, Runnable effect) {
        watcher.before();
        changes++;
        effect.run();
        watcher.after(of.name, change, sentWith);
    }

    /** What the controller knows at this moment. */
    Knowledge knowledge() {
        Set<String> unread = new HashSet<>();
        switches.values().stream().filter(each -> each.unread).forEach(each -> unread.add(each.name));
        return new Knowledge(links.knownDown(), unread);
    }
}
