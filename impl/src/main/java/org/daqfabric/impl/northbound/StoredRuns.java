package org.daqfabric.impl.northbound;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.daqfabric.impl.runcontrol.FrozenFabrics;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Partitions;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;

/**
 * Which fabrics the stored partitions freeze. In a cluster the member that leads the datastore checks writes, and it
 * need not be the one on which run control is active.
 */
public final class StoredRuns implements DataTreeChangeListener<Partitions>, AutoCloseable {
    private final Registration registration;
    private volatile Map<String, String> frozen = Map.of();

    public StoredRuns(DataBroker broker) {
        registration = broker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
            DataObjectReference.builder(Partitions.class).build(), this);
    }

    @Override
    public void onDataTreeChanged(List<DataTreeModification<Partitions>> changes) {
        Partitions after = changes.get(changes.size() - 1).getRootNode().dataAfter();
        frozen = after == null ? Map.of()
            : FrozenFabrics.of(after.nonnullPartition().values().stream().map(RunTree::read).toList());
    }

    /** Why the configuration of a fabric must not change now; empty if it may. */
    public Optional<String> frozenBy(String fabric) {
        return Optional.ofNullable(frozen.get(fabric));
    }

    @Override
    public void close() {
        registration.close();
    }
}
