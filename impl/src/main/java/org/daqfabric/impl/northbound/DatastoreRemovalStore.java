package org.daqfabric.impl.northbound;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.impl.async.Futures;
import org.daqfabric.impl.async.InOrder;
import org.daqfabric.impl.controller.spi.RemovalStore;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Removals;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.removals.Removal;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.removals.RemovalBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.removals.RemovalKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint16;

/**
 * Keeps pending removals in the configuration datastore, which survives a restart and is replicated in a cluster.
 *
 * <p>Completions run on a thread of the datastore.
 */
public final class DatastoreRemovalStore implements RemovalStore {
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
    public DatastoreRemovalStore(DataBroker broker, Executor executor) {
        this.broker = broker;
        steps = new InOrder(executor, LIMIT);
    }

    @Override
    public CompletionStage<List<PendingRemoval>> load() {
        return limited(steps.then(() -> {
            // open until it is read: OpenDaylight may drop the answer to a transaction that was closed
            ReadTransaction tx = broker.newReadOnlyTransaction();
            return Futures.completable(tx.read(STORE, DataObjectIdentifier.builder(Removals.class).build()))
                .whenComplete((tree, failure) -> tx.close())
                .thenApply(tree -> tree.map(all -> all.nonnullRemoval().values().stream()
                    .map(DatastoreRemovalStore::read).toList()).orElse(List.of()));
        }));
    }

    @Override
    public CompletionStage<Void> change(Collection<PendingRemoval> put, Collection<MarkedBridge> delete) {
        return limited(steps.then(() -> {
            WriteTransaction tx = broker.newWriteOnlyTransaction();
            put.forEach(each -> tx.put(STORE, path(each.bridge()), tree(each)));
            delete.forEach(each -> tx.delete(STORE, path(each)));
            return Futures.completable(tx.commit()).thenAccept(info -> { });
        }));
    }

    private static <T> CompletableFuture<T> limited(CompletableFuture<T> call) {
        return call.copy().orTimeout(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static DataObjectIdentifier<Removal> path(MarkedBridge bridge) {
        return DataObjectIdentifier.builder(Removals.class).child(Removal.class,
            new RemovalKey(bridge.bridge(), bridge.fabric(), bridge.systemId())).build();
    }

    private static Removal tree(PendingRemoval removal) {
        RemovalBuilder builder = new RemovalBuilder()
            .setSystemId(removal.bridge().systemId())
            .setBridge(removal.bridge().bridge())
            .setFabric(removal.bridge().fabric())
            .setSince(StateTree.time(removal.since()));
        removal.address().ifPresent(address ->
            builder.setOvsdbAddress(address.host()).setOvsdbPort(Uint16.valueOf(address.port())));
        return builder.build();
    }

    static PendingRemoval read(Removal tree) {
        Optional<OvsdbAddress> address = tree.getOvsdbAddress() == null ? Optional.empty()
            : Optional.of(new OvsdbAddress(tree.getOvsdbAddress(), tree.requireOvsdbPort().toJava()));
        return new PendingRemoval(
            new MarkedBridge(tree.requireSystemId(), tree.requireBridge(), tree.requireFabric()), address,
            Instant.parse(tree.requireSince().getValue()));
    }
}
