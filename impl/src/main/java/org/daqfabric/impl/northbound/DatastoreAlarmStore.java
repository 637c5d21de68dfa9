package org.daqfabric.impl.northbound;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.impl.alarms.AlarmStore;
import org.daqfabric.impl.async.Futures;
import org.daqfabric.impl.async.InOrder;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Alarms;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.alarms.AlarmKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/**
 * Keeps alarms in the configuration datastore, which survives a restart and is replicated in a cluster.
 *
 * <p>Completions run on a thread of the datastore.
 */
public final class DatastoreAlarmStore implements AlarmStore {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;
    /** How long a call may take: one that takes longer has failed, though it may still take effect. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final DataBroker broker;
    private final InOrder steps;

    /**
     * Starts with what is stored.
     *
     * @param executor where transactions are made
     */
    public DatastoreAlarmStore(DataBroker broker, Executor executor) {
        this.broker = broker;
        steps = new InOrder(executor, LIMIT);
    }

    @Override
    public CompletionStage<List<Alarm>> load() {
        return limited(steps.then(() -> {
            // open until it is read: OpenDaylight may drop the answer to a transaction that was closed
            ReadTransaction tx = broker.newReadOnlyTransaction();
            return Futures.completable(tx.read(STORE, DataObjectIdentifier.builder(Alarms.class).build()))
                .whenComplete((tree, failure) -> tx.close())
                .thenApply(tree -> tree.map(all -> all.nonnullAlarm().values().stream().map(AlarmTree::read).toList())
                    .orElse(List.of()));
        }));
    }

    @Override
    public CompletionStage<Void> change(Collection<Alarm> put, Collection<AlarmId> delete) {
        return limited(steps.then(() -> {
            WriteTransaction tx = broker.newWriteOnlyTransaction();
            put.forEach(each -> tx.put(STORE, path(each.id()), AlarmTree.stored(each)));
            delete.forEach(each -> tx.delete(STORE, path(each)));
            return Futures.completable(tx.commit()).thenAccept(info -> { });
        }));
    }

    private static <T> CompletableFuture<T> limited(CompletableFuture<T> call) {
        return call.copy().orTimeout(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static DataObjectIdentifier<
            org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.alarms.Alarm> path(AlarmId id) {
        return DataObjectIdentifier.builder(Alarms.class).child(
            org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.alarms.Alarm.class,
            new AlarmKey(AlarmTree.type(id.type()), id.resource().toString())).build();
    }
}
