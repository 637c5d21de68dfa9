package org.daqfabric.impl.ovsdb;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.MarkedBridge;

/** The bridges that one node is to lose. Lives in its node's mailbox. */
final class NodeRemovals {
    /** Where to connect to the node for each of them. */
    private final SortedMap<MarkedBridge, Optional<OvsdbAddress>> leaving = new TreeMap<>();

    void add(MarkedBridge bridge, Optional<OvsdbAddress> address) {
        leaving.put(bridge, address);
    }

    void end(MarkedBridge bridge) {
        leaving.remove(bridge);
    }

    /** Ends those that the node does not have, and returns them. */
    List<MarkedBridge> endAbsent(OvsdbSnapshot snapshot) {
        SortedMap<String, String> marks = snapshot.marks();
        List<MarkedBridge> absent =
            leaving.keySet().stream().filter(each -> !each.fabric().equals(marks.get(each.bridge()))).toList();
        absent.forEach(this::end);
        return absent;
    }

    boolean isEmpty() {
        return leaving.isEmpty();
    }

    void clear() {
        leaving.clear();
    }

    /** Where to connect to the node; empty if it connects to the controller. */
    Collection<OvsdbAddress> addresses() {
        return leaving.values().stream().flatMap(Optional::stream).toList();
    }

    /** The fabrics whose bridges are to go, by name of the bridge. */
    SortedMap<String, SortedSet<String>> fabrics() {
        SortedMap<String, SortedSet<String>> fabrics = new TreeMap<>();
        leaving.keySet().forEach(each ->
            fabrics.computeIfAbsent(each.bridge(), name -> new TreeSet<>()).add(each.fabric()));
        return fabrics;
    }
}
