package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.PendingRemovals;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/** Pending removals in the datastores: stored exactly, and published. */
class DatastoreRemovalStoreTest {
    private static final Instant NOW = Instant.parse("2026-11-23T10:00:00.123456Z");
    private static final PendingRemoval PLAIN =
        new PendingRemoval(new MarkedBridge("5c7a-1", "br-daq", "old"), Optional.empty(), NOW);
    private static final PendingRemoval DIALLED = new PendingRemoval(new MarkedBridge("5c7a-1", "br-daq", "new"),
        Optional.of(new OvsdbAddress("192.0.2.7", 6640)), NOW);

    private final InMemoryBroker broker = new InMemoryBroker();
    private final DatastoreRemovalStore store = new DatastoreRemovalStore(broker.broker(), Runnable::run);
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void close() {
        executor.shutdownNow();
    }

    @Test
    void isReadAsItWasStored() throws Exception {
        assertThat(read()).isEmpty();
        get(store.change(List.of(PLAIN, DIALLED), Set.of()));
        assertThat(read()).containsExactlyInAnyOrder(PLAIN, DIALLED);
        get(store.change(List.of(), Set.of(PLAIN.bridge(), new MarkedBridge("never", "was", "stored"))));
        assertThat(read()).containsExactly(DIALLED);
    }

    @Test
    void newestListIsPublished() throws Exception {
        StateWriter writer = new StateWriter(broker.broker(), executor);
        writer.pending(List.of());
        writer.pending(List.of(DIALLED));
        writer.pending(List.of(PLAIN, DIALLED));
        await().until(() -> published() != null && published().nonnullRemoval().size() == 2);
        assertThat(published().nonnullRemoval().values())
            .anySatisfy(each -> assertThat(each.getSince().getValue()).isEqualTo("2026-11-23T10:00:00.123456Z"));
        writer.pending(List.of());
        await().until(() -> published() == null);
        writer.close();
    }

    private PendingRemovals published() throws Exception {
        return broker.read(LogicalDatastoreType.OPERATIONAL,
            DataObjectIdentifier.builder(PendingRemovals.class).build());
    }

    private List<PendingRemoval> read() throws Exception {
        return get(new DatastoreRemovalStore(broker.broker(), Runnable::run).load());
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
