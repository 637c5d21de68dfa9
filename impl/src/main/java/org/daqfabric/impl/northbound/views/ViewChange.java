package org.daqfabric.impl.northbound.views;

import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.WriteOperations;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.Nodes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodesBuilder;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.NetworkTopology;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.NetworkTopologyBuilder;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/** Writes a view, or what differs between two, and counts what it writes. */
final class ViewChange {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.OPERATIONAL;

    private final WriteOperations tx;
    private int writes;

    ViewChange(WriteOperations tx) {
        this.tx = tx;
    }

    /** Number of nodes and subtrees that were put or deleted. */
    int writes() {
        return writes;
    }

    /** Replaces whatever is there of the fabric's switches, which only this controller has, and of its topology. */
    void writeAll(ShownFabric view) {
        // the containers, which others use too
        tx.merge(STORE, DataObjectIdentifier.builder(Nodes.class).build(), new NodesBuilder().build());
        tx.merge(STORE, DataObjectIdentifier.builder(NetworkTopology.class).build(),
            new NetworkTopologyBuilder().build());
        view.switches().values().forEach(this::inventory);
        put(TopologyTree.path(view.id()), TopologyTree.of(view));
    }

    /** Removes the view of a fabric. */
    void removeAll(ShownFabric view) {
        view.switches().keySet().forEach(id -> delete(InventoryTree.path(id)));
        delete(TopologyTree.path(view.id()));
    }

    /** Writes what differs. */
    void write(ShownFabric before, ShownFabric after) {
        Map<String, SwitchNode> gone = new TreeMap<>(before.switches());
        after.switches().forEach((id, node) -> {
            SwitchNode known = gone.remove(id);
            if (!node.equals(known)) {
                inventory(known, node);
                topology(after.id(), known, node);
            }
        });
        gone.keySet().forEach(id -> {
            delete(InventoryTree.path(id));
            delete(TopologyTree.node(after.id(), id));
        });
        if (!before.cables().equals(after.cables())) {
            cables(before, after);
        }
    }

    private void inventory(@Nullable SwitchNode before, SwitchNode after) {
        if (before == null || !before.connected() || !after.connected() || !before.name().equals(after.name())) {
            inventory(after);
            return;
        }
        Map<String, SwitchNode.Port> gone = new TreeMap<>();
        InventoryTree.ports(before).forEach(port -> gone.put(port.id(), port));
        InventoryTree.ports(after).forEach(port -> {
            SwitchNode.Port known = gone.remove(port.id());
            if (known == null || !known.countsLike(port) || known.counters().isEmpty() != port.counters().isEmpty()) {
                put(InventoryTree.path(after.id(), port.id()), InventoryTree.of(port));
            } else if (!known.counters().equals(port.counters())) {
                put(InventoryTree.counters(after.id(), port.id()), InventoryTree.counters(port));
            }
        });
        gone.keySet().forEach(port -> delete(InventoryTree.path(after.id(), port)));
        if (!before.read().equals(after.read())) {
            after.read().ifPresent(when -> put(InventoryTree.read(after.id()), InventoryTree.read(when)));
        }
    }

    /** A switch is in the inventory while it is connected, as those of OpenDaylight's OpenFlow plugin are. */
    private void inventory(SwitchNode node) {
        if (node.connected()) {
            put(InventoryTree.path(node.id()), InventoryTree.of(node));
        } else {
            delete(InventoryTree.path(node.id()));
        }
    }

    private void topology(String topology, @Nullable SwitchNode before, SwitchNode after) {
        if (before == null || !before.ports().stream().map(SwitchNode.Port::id).toList()
                .equals(after.ports().stream().map(SwitchNode.Port::id).toList())) {
            put(TopologyTree.node(topology, after.id()), TopologyTree.of(after));
        }
    }

    private void cables(ShownFabric before, ShownFabric after) {
        Map<String, Cable> gone = new TreeMap<>(before.cables());
        after.cables().forEach((id, cable) -> {
            if (!cable.equals(gone.remove(id))) {
                put(TopologyTree.link(after.id(), id), TopologyTree.of(cable));
            }
        });
        gone.keySet().forEach(id -> delete(TopologyTree.link(after.id(), id)));
    }

    private <T extends DataObject> void put(DataObjectIdentifier<T> path, T data) {
        tx.put(STORE, path, data);
        writes++;
    }

    private void delete(DataObjectIdentifier<?> path) {
        tx.delete(STORE, path);
        writes++;
    }
}
