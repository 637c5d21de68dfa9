package org.daqfabric.impl.northbound;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.api.state.PortState;
import org.opendaylight.mdsal.binding.api.WriteOperations;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.InterfaceName;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.State;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Capacity;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Daqring;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.DaqringKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.DropEpisode;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.DropEpisodeKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.LastRebalanced;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.LastRepair;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Link;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.LinkKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Placement;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.PlacementKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Port;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.PortKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.ProofsSilent;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Spine;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.SpineKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Switch;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.SwitchKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Unstored;
import org.opendaylight.yangtools.binding.ChildOf;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.EntryObject;
import org.opendaylight.yangtools.binding.Key;
import org.opendaylight.yangtools.binding.util.BindingMap;

/** Writes the difference between two states of a fabric, or a whole state. */
final class StateChange {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.OPERATIONAL;

    private final WriteOperations tx;
    private final DataObjectIdentifier<State> path;

    private StateChange(WriteOperations tx, String fabric) {
        this.tx = tx;
        path = fabric(fabric).toBuilder().child(State.class).build();
    }

    static DataObjectIdentifier<Fabric> fabric(String name) {
        return DataObjectIdentifier.builder(Fabrics.class).child(Fabric.class, new FabricKey(new Name(name))).build();
    }

    /** Replaces whatever is there. */
    static void writeAll(WriteOperations tx, FabricState state) {
        tx.merge(STORE, fabric(state.fabric()), new FabricBuilder().setName(new Name(state.fabric())).build());
        tx.put(STORE, new StateChange(tx, state.fabric()).path, StateTree.leaves(state)
            .setSwitch(BindingMap.of(state.switches().stream().map(StateTree::of).toList()))
            .setLink(BindingMap.of(state.links().stream().map(StateTree::of).toList()))
            .setPort(BindingMap.of(state.ports().stream().map(StateTree::of).toList()))
            .setPlacement(BindingMap.of(state.placements().stream().map(StateTree::of).toList()))
            .setSpine(BindingMap.of(state.spines().stream().map(StateTree::of).toList()))
            .setDaqring(BindingMap.of(state.daqrings().stream().map(StateTree::of).toList()))
            .setDropEpisode(BindingMap.of(state.drops().stream().map(StateTree::of).toList()))
            .setCapacity(StateTree.of(state.capacity()))
            .setProofsSilent(state.silentSince().map(StateTree::silent).orElse(null))
            .setUnstored(state.unstoredSince().map(StateTree::unstored).orElse(null))
            .setLastRepair(state.lastRepair().map(StateTree::of).orElse(null))
            .setLastRebalanced(state.lastRebalanced().map(StateTree::of).orElse(null))
            .build());
    }

    /** Writes what differs; {@code before} is what is there. */
    static void write(WriteOperations tx, FabricState before, FabricState after) {
        StateChange change = new StateChange(tx, after.fabric());
        change.leaves(before, after);
        change.list(before.switches(), after.switches(), SwitchState::name, StateTree::of, Switch.class,
            name -> new SwitchKey(new Name(name)));
        change.list(before.links(), after.links(), LinkState::end, StateTree::of, Link.class,
            end -> new LinkKey(new InterfaceName(end.port()), new Name(end.switchName())));
        change.list(before.ports(), after.ports(), PortState::port, StateTree::of, Port.class,
            id -> new PortKey(new InterfaceName(id.port()), new Name(id.switchName())));
        change.list(before.placements(), after.placements(), DcmPlacement::dcm, StateTree::of, Placement.class,
            dcm -> new PlacementKey(new Name(dcm)));
        change.list(before.spines(), after.spines(), spine -> List.of(spine.plane(), spine.spine()), StateTree::of,
            Spine.class, id -> new SpineKey(StateTree.plane(id.get(0)), StateTree.spine(id.get(1))));
        change.list(before.daqrings(), after.daqrings(), ring -> List.of(ring.dcm(), ring.switchName()), StateTree::of,
            Daqring.class, id -> new DaqringKey(new Name(id.get(0)), new Name(id.get(1))));
        change.list(before.drops(), after.drops(), StateChange::key, StateTree::of, DropEpisode.class,
            key -> key);
    }

    private static DropEpisodeKey key(org.daqfabric.api.state.DropEpisode episode) {
        return new DropEpisodeKey(StateTree.time(episode.drops().begin()), new Name(episode.dcm()),
            new Name(episode.switchName()));
    }

    private void leaves(FabricState before, FabricState after) {
        if (before.phase() != after.phase() || before.generation() != after.generation()) {
            tx.merge(STORE, path, StateTree.leaves(after).build());
        }
        if (!before.capacity().equals(after.capacity())) {
            tx.put(STORE, path.toBuilder().child(Capacity.class).build(), StateTree.of(after.capacity()));
        }
        if (!before.lastRepair().equals(after.lastRepair())) {
            DataObjectIdentifier<LastRepair> repair = path.toBuilder().child(LastRepair.class).build();
            after.lastRepair().ifPresentOrElse(state -> tx.put(STORE, repair, StateTree.of(state)),
                () -> tx.delete(STORE, repair));
        }
        if (!before.lastRebalanced().equals(after.lastRebalanced())) {
            DataObjectIdentifier<LastRebalanced> rebalanced = path.toBuilder().child(LastRebalanced.class).build();
            after.lastRebalanced().ifPresentOrElse(state -> tx.put(STORE, rebalanced, StateTree.of(state)),
                () -> tx.delete(STORE, rebalanced));
        }
        if (!before.silentSince().equals(after.silentSince())) {
            DataObjectIdentifier<ProofsSilent> silent = path.toBuilder().child(ProofsSilent.class).build();
            after.silentSince().ifPresentOrElse(since -> tx.put(STORE, silent, StateTree.silent(since)),
                () -> tx.delete(STORE, silent));
        }
        if (!before.unstoredSince().equals(after.unstoredSince())) {
            DataObjectIdentifier<Unstored> unstored = path.toBuilder().child(Unstored.class).build();
            after.unstoredSince().ifPresentOrElse(since -> tx.put(STORE, unstored, StateTree.unstored(since)),
                () -> tx.delete(STORE, unstored));
        }
    }

    private <S, I, E extends EntryObject<E, K> & ChildOf<? super State>, K extends Key<E>> void list(
            List<S> before, List<S> after, Function<S, I> id, Function<S, E> tree, Class<E> type,
            Function<I, K> key) {
        if (before.equals(after)) {
            return;
        }
        Map<I, S> gone = new HashMap<>();
        before.forEach(state -> gone.put(id.apply(state), state));
        for (S state : after) {
            if (!state.equals(gone.remove(id.apply(state)))) {
                tx.put(STORE, path.toBuilder().child(type, key.apply(id.apply(state))).build(), tree.apply(state));
            }
        }
        gone.keySet().forEach(entry -> tx.delete(STORE, path.toBuilder().child(type, key.apply(entry)).build()));
    }
}
