package org.daqfabric.impl.northbound;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.daqfabric.impl.async.Futures;
import org.daqfabric.impl.cluster.LeaseStore;
import org.daqfabric.impl.cluster.LeaseTerm;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.binding.api.ReadWriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.cluster.rev261122.Active;
import org.opendaylight.yang.gen.v1.urn.daqfabric.cluster.rev261122.ActiveBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.Uint64;

/**
 * The lease in the operational datastore: replicated, so that changing it takes a majority of the members, and not kept
 * when all members stop, as intended.
 *
 * <p>Completions run on a thread of the datastore.
 */
public final class DatastoreLeaseStore implements LeaseStore, DataTreeChangeListener<Active>, AutoCloseable {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.OPERATIONAL;
    private static final DataObjectIdentifier<Active> PATH = DataObjectIdentifier.builder(Active.class).build();

    private final DataBroker broker;
    private final Consumer<Optional<LeaseTerm>> changed;
    private final Registration registration;

    /**
     * Starts to listen.
     *
     * @param changed receives every term that is stored
     */
    public DatastoreLeaseStore(DataBroker broker, Consumer<Optional<LeaseTerm>> changed) {
        this.broker = broker;
        this.changed = changed;
        registration = broker.registerTreeChangeListener(STORE,
            DataObjectReference.builder(Active.class).build(), this);
    }

    @Override
    public void onDataTreeChanged(List<DataTreeModification<Active>> changes) {
        changed.accept(Optional.ofNullable(changes.get(changes.size() - 1).getRootNode().dataAfter())
            .flatMap(DatastoreLeaseStore::term));
    }

    @Override
    public CompletionStage<Optional<LeaseTerm>> claim(Function<Optional<LeaseTerm>, Optional<LeaseTerm>> decide) {
        ReadWriteTransaction tx = broker.newReadWriteTransaction();
        return Futures.completable(tx.read(STORE, PATH)).thenCompose(read -> {
            Optional<LeaseTerm> stored = read.flatMap(DatastoreLeaseStore::term);
            Optional<LeaseTerm> next = decide.apply(stored);
            if (next.isEmpty()) {
                tx.cancel();
                return CompletableFuture.completedFuture(stored);
            }
            tx.put(STORE, PATH, tree(next.get(), LeaseCohort.mark(read)));
            return Futures.completable(tx.commit()).thenApply(done -> next);
        });
    }

    @Override
    public CompletionStage<Void> release(String session) {
        ReadWriteTransaction tx = broker.newReadWriteTransaction();
        return Futures.completable(tx.read(STORE, PATH)).thenCompose(read -> {
            if (read.flatMap(DatastoreLeaseStore::term).filter(term -> term.session().equals(session)).isEmpty()) {
                tx.cancel();
                return CompletableFuture.completedFuture(null);
            }
            // not deleted: a deletion that is applied late could not say which term it belongs to
            tx.put(STORE, PATH, new ActiveBuilder().setFollows(LeaseCohort.mark(read)).build());
            return Futures.completable(tx.commit()).thenAccept(done -> { });
        });
    }

    private static Optional<LeaseTerm> term(Active tree) {
        return tree.getSession() == null ? Optional.empty()
            : Optional.of(new LeaseTerm(tree.getMember(), tree.getAddress(), tree.getSession(),
                tree.getRenewals().longValue(), Instant.parse(tree.getSince().getValue())));
    }

    private static Active tree(LeaseTerm term, String follows) {
        return new ActiveBuilder().setFollows(follows).setMember(term.member()).setAddress(term.address())
            .setSession(term.session()).setRenewals(Uint64.valueOf(term.renewals()))
            .setSince(StateTree.time(term.since())).build();
    }

    @Override
    public void close() {
        registration.close();
    }
}
