package org.daqfabric.impl.northbound;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.daqfabric.impl.async.Futures;
import org.daqfabric.impl.async.InOrder;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.Doubts;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.HostAddress;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Decisions;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.DecisionKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.Bundle;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.BundleKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.Identity;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.IdentityKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.Route;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.RouteKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.Switch;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.decision.SwitchKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.doubts.Doubt;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.doubts.DoubtKey;
import org.opendaylight.yangtools.binding.ChildOf;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.EntryObject;
import org.opendaylight.yangtools.binding.Key;

/**
 * Keeps decisions in the configuration datastore, which survives a restart and is replicated in a cluster. Calls for
 * one fabric take effect in order; only the differences to the last stored decision are written. A call that the
 * datastore does not answer within {@link #LIMIT} holds up those after it no longer; if it takes effect after all, the
 * next decision is written as a whole.
 *
 * <p>Completions run on a thread of the datastore.
 */
public final class DatastoreDecisionStore implements DecisionStore {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;

    /** How long a call may hold up the next one. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final DataBroker broker;
    private final ConfigurationText text;
    private final Executor executor;
    @GuardedBy("slots")
    private final Map<String, Slot> slots = new HashMap<>();

    /**
     * Starts with what is stored.
     *
     * @param text reads stored configurations
     * @param executor where transactions are made, which in a large fabric takes some tens of milliseconds, and longer
     *     while the datastore lets nobody write
     */
    public DatastoreDecisionStore(DataBroker broker, ConfigurationText text, Executor executor) {
        this.broker = broker;
        this.text = text;
        this.executor = executor;
    }

    @Override
    public CompletionStage<Decision> load(String fabric) {
        return slot(fabric).load();
    }

    @Override
    public CompletionStage<Void> save(String fabric, Decision decision) {
        return slot(fabric).save(decision);
    }

    @Override
    public CompletionStage<Doubts> loadDoubts(String fabric) {
        return slot(fabric).loadDoubts();
    }

    @Override
    public CompletionStage<Void> saveDoubts(String fabric, Doubts doubts) {
        return slot(fabric).saveDoubts(doubts);
    }

    @Override
    public CompletionStage<Void> delete(String fabric) {
        return slot(fabric).delete();
    }

    private Slot slot(String fabric) {
        synchronized (slots) {
            return slots.computeIfAbsent(fabric, Slot::new);
        }
    }

    /** One fabric; steps run one after another, so {@code stored} belongs to the running one. */
    private final class Slot {
        private final String fabric;
        private final DataObjectIdentifier<
            org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.Decision> path;
        private final DataObjectIdentifier<Doubt> doubtPath;
        private final InOrder steps = new InOrder(executor, LIMIT);
        /** The decision in the datastore; null if it is not known. */
        private volatile @Nullable Decision stored;
        /** Number of writes begun and not answered. */
        private final AtomicInteger unanswered = new AtomicInteger();

        Slot(String fabric) {
            this.fabric = fabric;
            path = DataObjectIdentifier.builder(Decisions.class).child(
                org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.Decision.class,
                new DecisionKey(new Name(fabric))).build();
            doubtPath = DataObjectIdentifier.builder(
                    org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Doubts.class)
                .child(Doubt.class, new DoubtKey(new Name(fabric))).build();
        }

        CompletableFuture<Decision> load() {
            return steps.then(() -> {
                ReadTransaction tx = broker.newReadOnlyTransaction();
                return Futures.completable(tx.read(STORE, path)).whenComplete((tree, failure) -> tx.close())
                    .thenApply(tree -> {
                        Decision read = tree.map(known -> DecisionTree.read(known, text))
                            .orElse(Decision.NONE);
                        stored = unanswered.get() == 0 ? read : null;
                        return read;
                    });
            });
        }

        CompletableFuture<Void> save(Decision decision) {
            return steps.then(() -> {
                Decision before = stored;
                if (decision.equals(before)) {
                    return CompletableFuture.completedFuture(null);
                }
                WriteTransaction tx = broker.newWriteOnlyTransaction();
                if (before == null || before.equals(Decision.NONE) || decision.configuration().isEmpty()) {
                    tx.put(STORE, path, DecisionTree.of(fabric, decision));
                } else {
                    difference(tx, before, decision);
                }
                return commit(tx, decision);
            });
        }

        CompletableFuture<Void> delete() {
            return steps.then(() -> {
                WriteTransaction tx = broker.newWriteOnlyTransaction();
                tx.delete(STORE, path);
                tx.delete(STORE, doubtPath);
                return commit(tx, Decision.NONE);
            });
        }

        CompletableFuture<Doubts> loadDoubts() {
            return steps.then(() -> {
                ReadTransaction tx = broker.newReadOnlyTransaction();
                return Futures.completable(tx.read(STORE, doubtPath)).whenComplete((tree, failure) -> tx.close())
                    .thenApply(tree -> tree.map(DoubtTree::read).orElse(Doubts.NONE));
            });
        }

        CompletableFuture<Void> saveDoubts(Doubts doubts) {
            return steps.then(() -> {
                WriteTransaction tx = broker.newWriteOnlyTransaction();
                if (doubts.equals(Doubts.NONE)) {
                    tx.delete(STORE, doubtPath);
                } else {
                    tx.put(STORE, doubtPath, DoubtTree.of(fabric, doubts));
                }
                return Futures.completable(tx.commit()).thenAccept(info -> { });
            });
        }

        private CompletableFuture<Void> commit(WriteTransaction tx, Decision decision) {
            stored = null;
            boolean alone = unanswered.getAndIncrement() == 0;
            return Futures.completable(tx.commit()).handle((info, failure) -> {
                // what writes that overtake each other leave is not known
                stored = unanswered.decrementAndGet() == 0 && alone && failure == null ? decision : null;
                if (failure != null) {
                    throw new CompletionException(failure);
                }
                return null;
            });
        }

        private void difference(WriteTransaction tx, Decision before, Decision after) {
            difference(tx, before.placement().routes(), after.placement().routes(), Route.class, DecisionTree::route,
                address -> new RouteKey(new HostAddress(address.toString())));
            difference(tx, before.placement().lanes(), after.placement().lanes(), Bundle.class, DecisionTree::bundle,
                bundle -> new BundleKey(new Name(bundle.lower()), new Name(bundle.upper())));
            difference(tx, before.portNumbers().numbers(), after.portNumbers().numbers(), Switch.class,
                DecisionTree::ports, name -> new SwitchKey(new Name(name)));
            difference(tx, before.identities().switches(), after.identities().switches(), Identity.class,
                DecisionTree::identity, name -> new IdentityKey(new Name(name)));
            if (!after.configuration().equals(before.configuration())) {
                // large, and the same in all repairs
                tx.merge(STORE, path, DecisionTree.configuration(fabric, after));
            }
        }

        private <I, V, E extends EntryObject<E, K> & ChildOf<
                ? super org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.Decision>,
                K extends Key<E>> void difference(WriteTransaction tx, SortedMap<I, V> before, SortedMap<I, V> after,
                Class<E> type, Function<Map.Entry<I, V>, E> tree, Function<I, K> key) {
            for (Map.Entry<I, V> entry : after.entrySet()) {
                if (!entry.getValue().equals(before.get(entry.getKey()))) {
                    tx.put(STORE, path.toBuilder().child(type, key.apply(entry.getKey())).build(), tree.apply(entry));
                }
            }
            for (I gone : before.keySet()) {
                if (!after.containsKey(gone)) {
                    tx.delete(STORE, path.toBuilder().child(type, key.apply(gone)).build());
                }
            }
        }
    }
}
