package org.daqfabric.impl.northbound;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.daqfabric.impl.async.Futures;
import org.daqfabric.impl.async.InOrder;
import org.daqfabric.impl.controller.spi.Installation;
import org.daqfabric.impl.controller.spi.InstallationStore;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.binding.api.ReadWriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.InstallationBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;

/**
 * Keeps which installation this is in the configuration datastore, which survives a restart and is replicated in a
 * cluster.
 *
 * <p>Completions run on a thread of the datastore.
 */
public final class DatastoreInstallationStore implements InstallationStore, AutoCloseable,
        DataTreeChangeListener<org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Installation> {
    static final DataObjectIdentifier<org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Installation> PATH =
        DataObjectIdentifier.builder(org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Installation.class)
            .build();
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;
    /** How long a call may hold up the next one. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final DataBroker broker;
    private final InOrder steps;
    private final Consumer<Installation> changed;
    private final Registration registration;

    /**
     * Starts to listen.
     *
     * @param executor where transactions are made
     * @param changed receives what is stored, and whatever is stored later, by any member of a cluster
     */
    public DatastoreInstallationStore(DataBroker broker, Executor executor, Consumer<Installation> changed) {
        this.broker = broker;
        this.changed = changed;
        steps = new InOrder(executor, LIMIT);
        registration = broker.registerTreeChangeListener(STORE, DataObjectReference
            .builder(org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Installation.class).build(), this);
    }

    @Override
    public void onDataTreeChanged(List<DataTreeModification<
            org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Installation>> changes) {
        Optional.ofNullable(changes.getLast().getRootNode().dataAfter()).map(DatastoreInstallationStore::read)
            .ifPresent(changed);
    }

    @Override
    public void close() {
        registration.close();
    }

    @Override
    public CompletionStage<Installation> load() {
        return takeOver(List.of());
    }

    @Override
    public CompletionStage<Installation> takeOver(Collection<String> others) {
        return steps.then(() -> {
            ReadWriteTransaction tx = broker.newReadWriteTransaction();
            return Futures.completable(tx.read(STORE, PATH)).thenCompose(tree -> {
                Installation stored = tree.map(DatastoreInstallationStore::read)
                    .orElseGet(() -> Installation.of(fresh()));
                Installation next = stored.takenOver(others);
                if (tree.isPresent() && next.equals(stored)) {
                    tx.cancel();
                    return CompletableFuture.completedFuture(stored);
                }
                tx.put(STORE, PATH, tree(next));
                return Futures.completable(tx.commit()).thenApply(done -> next);
            });
        });
    }

    /** An id that nobody has had. */
    static String fresh() {
        return UUID.randomUUID().toString();
    }

    static Installation read(org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Installation tree) {
        @Nullable Set<String> former = tree.getFormer();
        return new Installation(tree.requireId(), former == null ? new TreeSet<>() : new TreeSet<>(former));
    }

    static org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Installation tree(Installation installation) {
        return new InstallationBuilder().setId(installation.id())
            .setFormer(installation.former().isEmpty() ? null : installation.former()).build();
    }
}
