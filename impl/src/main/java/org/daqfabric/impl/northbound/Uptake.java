package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.FutureCallback;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/**
 * Whether the controller has taken up what is configured. The datastore answers a write before it notifies of it, on a
 * busy machine seconds before: who asks next must not be answered by the configuration that was there earlier. All who
 * wait share a comparison, on a thread of its own: questions must not delay what they wait for.
 */
public final class Uptake {
    /** A datastore that does not notify holds nobody up for longer; run control answers within a second. */
    private static final Duration LIMIT = Duration.ofMillis(700);
    private static final DataObjectIdentifier<Fabrics> FABRICS = DataObjectIdentifier.builder(Fabrics.class).build();

    private final DataBroker broker;
    private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
    @GuardedBy("this")
    private final Map<String, Fabric> taken = new HashMap<>();
    @GuardedBy("this")
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    /** Whether what is stored is being read, and whether it must be read again after that. */
    @GuardedBy("this")
    private boolean reading;
    @GuardedBy("this")
    private boolean again;

    public Uptake(DataBroker broker) {
        this.broker = broker;
    }

    /** Done when all that is stored by now has been taken up, or after 700 ms; what follows has a thread of its own. */
    public CompletionStage<Void> ofWhatIsStored() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        synchronized (this) {
            waiting.removeIf(CompletableFuture::isDone); // while the datastore does not answer
            waiting.add(done);
        }
        look();
        return done.completeOnTimeout(null, LIMIT.toMillis(), TimeUnit.MILLISECONDS)
            .thenApplyAsync(Function.identity(), threads);
    }

    /**
     * A fabric has been taken up as it is stored.
     *
     * @param fabric empty if it was removed
     */
    void took(String name, Optional<Fabric> fabric) {
        synchronized (this) {
            fabric.ifPresentOrElse(each -> taken.put(name, each), () -> taken.remove(name));
            if (waiting.isEmpty()) {
                return;
            }
        }
        look();
    }

    private void look() {
        List<CompletableFuture<Void>> asked;
        synchronized (this) {
            again = reading;
            if (reading) {
                return;
            }
            reading = true;
            asked = List.copyOf(waiting);
        }
        ReadTransaction tx = broker.newReadOnlyTransaction();
        tx.read(LogicalDatastoreType.CONFIGURATION, FABRICS).addCallback(new FutureCallback<>() {
            @Override
            public void onSuccess(Optional<Fabrics> fabrics) {
                tx.close();
                compared(asked, fabrics);
            }

            @Override
            public void onFailure(Throwable failure) {
                tx.close();
                looked(asked, true); // whoever asked says so, if it needs the datastore
            }
        }, threads);
    }

    private void compared(List<CompletableFuture<Void>> asked, Optional<Fabrics> fabrics) {
        Map<String, Fabric> stored = new HashMap<>();
        fabrics.ifPresent(all -> all.nonnullFabric().forEach((key, fabric) ->
            stored.put(key.getName().getValue(), fabric)));
        Map<String, Fabric> now;
        synchronized (this) {
            now = Map.copyOf(taken);
        }
        looked(asked, stored.equals(now));
    }

    private void looked(List<CompletableFuture<Void>> asked, boolean isTaken) {
        if (isTaken) {
            asked.forEach(each -> each.complete(null));
        }
        boolean isDue;
        synchronized (this) {
            reading = false;
            isDue = again;
            again = false;
        }
        if (isDue) {
            look();
        }
    }
}
