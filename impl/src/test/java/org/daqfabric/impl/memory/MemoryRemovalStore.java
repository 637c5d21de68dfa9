package org.daqfabric.impl.memory;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.impl.controller.spi.RemovalStore;

/** Stores pending removals in memory; may be slow or fail. */
public final class MemoryRemovalStore implements RemovalStore {
    public final SortedMap<MarkedBridge, PendingRemoval> stored = new TreeMap<>();
    /** How many of the next writes fail. */
    public int failuresToCome;
    /** Completes when what is written from now on is stored. */
    public CompletableFuture<Void> storing = CompletableFuture.completedFuture(null);

    @Override
    public CompletionStage<List<PendingRemoval>> load() {
        return CompletableFuture.completedFuture(List.copyOf(stored.values()));
    }

    @Override
    public CompletionStage<Void> change(Collection<PendingRemoval> put, Collection<MarkedBridge> delete) {
        if (failuresToCome > 0) {
            failuresToCome--;
            return CompletableFuture.failedFuture(new IllegalStateException("the store is full"));
        }
        return storing.thenRun(() -> {
            put.forEach(each -> stored.put(each.bridge(), each));
            delete.forEach(stored::remove);
        });
    }
}
