package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/**
 * Whether the controller has taken up what is configured. The datastore answers a write before it notifies of it, on a
 * busy machine seconds before: who asks next must not be answered by the configuration that was there earlier.
 */
public final class Uptake {
    /** A datastore that does not notify holds nobody up for longer; run control answers within a second. */
    private static final Duration LIMIT = Duration.ofMillis(700);
    private static final DataObjectIdentifier<Fabrics> FABRICS = DataObjectIdentifier.builder(Fabrics.class).build();

    private final DataBroker broker;
    @GuardedBy("this")
    private final Map<String, Fabric> taken = new HashMap<>();
    @GuardedBy("this")
    private long changes;
    @GuardedBy("this")
    private List<CompletableFuture<Void>> waiting = new ArrayList<>();

    public Uptake(DataBroker broker) {
        this.broker = broker;
    }

    /** Done when all that is stored by now has been taken up, or after 700 ms. */
    public CompletionStage<Void> ofWhatIsStored() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        compare(done);
        return done.completeOnTimeout(null, LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * A fabric has been taken up as it is stored.
     *
     * @param fabric empty if it was removed
     */
    void took(String name, Optional<Fabric> fabric) {
        List<CompletableFuture<Void>> all;
        synchronized (this) {
            changes++;
            fabric.ifPresentOrElse(each -> taken.put(name, each), () -> taken.remove(name));
            all = waiting;
            waiting = new ArrayList<>();
        }
        all.stream().filter(each -> !each.isDone()).forEach(this::compare);
    }

    private void compare(CompletableFuture<Void> done) {
        final long before = changes();
        ReadTransaction tx = broker.newReadOnlyTransaction();
        tx.read(LogicalDatastoreType.CONFIGURATION, FABRICS).addCallback(new FutureCallback<>() {
            @Override
            public void onSuccess(Optional<Fabrics> fabrics) {
                tx.close();
                compared(done, before, fabrics);
            }

            @Override
            public void onFailure(Throwable failure) {
                tx.close();
                done.complete(null); // whoever asked says so, if it needs the datastore
            }
        }, MoreExecutors.directExecutor());
    }

    private synchronized long changes() {
        return changes;
    }

    private void compared(CompletableFuture<Void> done, long before, Optional<Fabrics> fabrics) {
        Map<String, Fabric> stored = new HashMap<>();
        fabrics.ifPresent(all -> all.nonnullFabric().forEach((key, fabric) ->
            stored.put(key.getName().getValue(), fabric)));
        boolean same;
        synchronized (this) {
            same = stored.equals(taken);
            if (!same && changes == before) {
                waiting.removeIf(CompletableFuture::isDone);
                waiting.add(done);
                return;
            }
        }
        if (same) {
            done.complete(null);
        } else {
            compare(done);
        }
    }
}
