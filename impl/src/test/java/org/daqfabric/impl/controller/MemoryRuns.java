package org.daqfabric.impl.controller;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.run.Partition;
import org.daqfabric.impl.runcontrol.RunStore;

/** A store of partitions in memory, which survives the restart of a controller. */
final class MemoryRuns implements RunStore {
    final SortedMap<String, Partition> stored = new TreeMap<>();
    boolean fails;
    /** Whether the next partition is stored, and its caller told that it failed. */
    boolean takesAndFails;
    /** Completes when partitions that are saved from now on are stored. */
    CompletableFuture<Void> storing = CompletableFuture.completedFuture(null);

    @Override
    public CompletionStage<List<Partition>> load() {
        return CompletableFuture.completedFuture(List.copyOf(stored.values()));
    }

    @Override
    public CompletionStage<Void> save(Partition partition) {
        if (fails) {
            return CompletableFuture.failedFuture(new IllegalStateException("the store is full"));
        }
        if (takesAndFails) {
            takesAndFails = false;
            stored.put(partition.name(), partition);
            return CompletableFuture.failedFuture(new IllegalStateException("no answer"));
        }
        return storing.thenRun(() -> stored.put(partition.name(), partition));
    }

    @Override
    public CompletionStage<Void> delete(String partition) {
        stored.remove(partition);
        return CompletableFuture.completedFuture(null);
    }
}
