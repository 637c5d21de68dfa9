package org.daqfabric.impl.northbound;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.daqfabric.api.run.Partition;
import org.daqfabric.impl.async.Futures;
import org.daqfabric.impl.async.InOrder;
import org.daqfabric.impl.runcontrol.RunStore;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Partitions;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.partitions.PartitionKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/**
 * Keeps partitions in the configuration datastore, which survives a restart and is replicated in a cluster.
 *
 * <p>Completions run on a thread of the datastore.
 */
public final class DatastoreRunStore implements RunStore {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;

    /** How long a call may hold up the next one. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final DataBroker broker;
    private final InOrder steps = new InOrder(Runnable::run, LIMIT);

    public DatastoreRunStore(DataBroker broker) {
        this.broker = broker;
    }

    @Override
    public CompletionStage<List<Partition>> load() {
        return steps.then(() -> {
            ReadTransaction tx = broker.newReadOnlyTransaction();
            return Futures.completable(tx.read(STORE, DataObjectIdentifier.builder(Partitions.class).build()))
                .whenComplete((tree, failure) -> tx.close())
                .thenApply(tree -> tree.map(all -> all.nonnullPartition().values().stream().map(RunTree::read)
                    .toList()).orElse(List.of()));
        });
    }

    @Override
    public CompletionStage<Void> save(Partition partition) {
        return write(tx -> tx.put(STORE, path(partition.name()), RunTree.stored(partition)));
    }

    @Override
    public CompletionStage<Void> delete(String partition) {
        return write(tx -> tx.delete(STORE, path(partition)));
    }

    private static DataObjectIdentifier<
            org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.partitions.Partition> path(String partition) {
        return DataObjectIdentifier.builder(Partitions.class).child(
            org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.partitions.Partition.class,
            new PartitionKey(partition)).build();
    }

    private CompletionStage<Void> write(Consumer<WriteTransaction> what) {
        return steps.then(() -> {
            WriteTransaction tx = broker.newWriteOnlyTransaction();
            what.accept(tx);
            return Futures.completable(tx.commit()).thenAccept(info -> { });
        });
    }

}
