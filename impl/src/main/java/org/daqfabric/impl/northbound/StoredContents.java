package org.daqfabric.impl.northbound;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Alarms;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Decisions;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Doubts;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.History;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Partitions;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Removals;
import org.opendaylight.yangtools.binding.ChildOf;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.DataRoot;
import org.opendaylight.yangtools.binding.EntryObject;
import org.opendaylight.yangtools.binding.data.codec.api.BindingNormalizedNodeSerializer;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/**
 * Whether what a backup holds can be read as the controller reads it when it begins. The models allow more: parts are
 * packed into strings. Read too late, after it was stored, it would keep fabrics and run control from beginning.
 */
final class StoredContents {
    private final BindingNormalizedNodeSerializer serializer;
    private final ConfigurationText text;

    StoredContents(BindingNormalizedNodeSerializer serializer, Supplier<EffectiveModelContext> model) {
        this.serializer = serializer;
        text = new ConfigurationText(serializer, model);
    }

    YangInstanceIdentifier path(DataObjectIdentifier<?> what) {
        return serializer.toYangInstanceIdentifier(what);
    }

    @SuppressWarnings("unchecked") // the node at the path of T
    <T extends DataObject> Optional<T> binding(DataObjectIdentifier<T> what, @Nullable NormalizedNode node) {
        return Optional.ofNullable(node).map(known -> (T) serializer.fromNormalizedNode(path(what), known).getValue());
    }

    <T extends DataObject> NormalizedNode node(DataObjectIdentifier<T> what, T data) {
        return serializer.toNormalizedDataObject(what, data).node();
    }

    /**
     * Reads all.
     *
     * @throws InvalidInputException with the path of the first entry that cannot be read
     */
    void check(Map<YangInstanceIdentifier, NormalizedNode> nodes) {
        of(nodes, Decisions.class).ifPresent(all -> each("decisions/decision", all.nonnullDecision().values(),
            decision -> DecisionTree.read(decision, text)));
        of(nodes, Doubts.class).ifPresent(all -> each("doubts/doubt", all.nonnullDoubt().values(), DoubtTree::read));
        of(nodes, Removals.class).ifPresent(all -> each("removals/removal", all.nonnullRemoval().values(),
            DatastoreRemovalStore::read));
        of(nodes, Partitions.class).ifPresent(all -> each("partitions/partition", all.nonnullPartition().values(),
            RunTree::read));
        of(nodes, Alarms.class).ifPresent(all -> each("alarms/alarm", all.nonnullAlarm().values(), AlarmTree::read));
        of(nodes, History.class).ifPresent(all -> all.nonnullFabric().values().forEach(fabric ->
            each("history/fabric[name='" + fabric.requireName().getValue() + "']/version",
                fabric.nonnullVersion().values(), HistoryTree::read)));
    }

    private <T extends ChildOf<? extends DataRoot<?>>> Optional<T> of(Map<YangInstanceIdentifier, NormalizedNode> nodes,
            Class<T> container) {
        DataObjectIdentifier<T> what = DataObjectIdentifier.builder(container).build();
        return binding(what, nodes.get(path(what)));
    }

    @SuppressWarnings({"checkstyle:illegalCatch", "checkstyle:avoidHidingCauseException"}) // whatever is wrong with it
    private static <E extends EntryObject<E, ?>> void each(String list, Iterable<E> entries, Consumer<E> reader) {
        for (E entry : entries) {
            try {
                reader.accept(entry);
            } catch (RuntimeException e) {
                throw new InvalidInputException("backup", "/daqfabric-store:" + list + ": the entry " + entry.key()
                    + " cannot be read (" + e.getMessage() + "): correct it, or take it out of the backup, and sha256"
                    + " with it");
            }
        }
    }
}
