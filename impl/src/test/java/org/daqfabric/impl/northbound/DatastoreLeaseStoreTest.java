package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.daqfabric.impl.cluster.LeaseTerm;
import org.junit.jupiter.api.Test;

/** All members see the same term. */
class DatastoreLeaseStoreTest {
    private static final Instant NOW = Instant.parse("2026-11-22T03:00:00.123456Z");

    private final InMemoryBroker broker = new InMemoryBroker();
    private final AtomicReference<Optional<LeaseTerm>> seen = new AtomicReference<>(Optional.empty());
    private final DatastoreLeaseStore store = new DatastoreLeaseStore(broker.broker(), seen::set);

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void whatIsWrittenStandsAndIsSeen() throws Exception {
        assertThat(get(store.claim(stands -> Optional.empty()))).isEmpty();
        LeaseTerm term = new LeaseTerm("member-1", "10.0.0.1", "a", 7, NOW);
        assertThat(get(store.claim(stands -> Optional.of(term)))).contains(term);
        assertThat(get(store.claim(stands -> Optional.empty()))).contains(term);
        await().until(() -> seen.get().equals(Optional.of(term)));
    }

    /** Of two members that claim the lease at the same moment only one gets it. */
    @Test
    void ofTwoAtOnceOneIsOvertaken() throws Exception {
        LeaseTerm one = new LeaseTerm("member-1", "10.0.0.1", "a", 1, NOW);
        LeaseTerm two = new LeaseTerm("member-2", "10.0.0.2", "b", 1, NOW);
        CompletableFuture<Optional<LeaseTerm>> between = new CompletableFuture<>();
        CompletionStage<Optional<LeaseTerm>> slow = store.claim(stands -> {
            store.claim(same -> Optional.of(two)).whenComplete((written, failure) -> between.complete(written));
            between.join();
            return Optional.of(one);
        });
        assertThatThrownBy(() -> get(slow)).isInstanceOf(ExecutionException.class);
        assertThat(get(store.claim(stands -> Optional.empty()))).contains(two);
    }

    /** A member that leaves ends its own term only. */
    @Test
    void releasesItsOwnTermOnly() throws Exception {
        LeaseTerm term = new LeaseTerm("member-1", "10.0.0.1", "a", 1, NOW);
        get(store.claim(stands -> Optional.of(term)));
        get(store.release("b"));
        assertThat(get(store.claim(stands -> Optional.empty()))).contains(term);
        get(store.release("a"));
        assertThat(get(store.claim(stands -> Optional.empty()))).isEmpty();
        await().until(() -> seen.get().isEmpty());
    }
}
