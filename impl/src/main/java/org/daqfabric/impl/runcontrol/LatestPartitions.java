package org.daqfabric.impl.runcontrol;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.run.PartitionState;

/** Keeps the newest state of all partitions, readable from any thread, and forwards every call to other listeners. */
public final class LatestPartitions implements RunListener {
    private final List<RunListener> others;
    private volatile List<PartitionState> newest = List.of();

    /** Starts empty; forwards to these listeners, in this order. */
    public LatestPartitions(RunListener... others) {
        this.others = List.of(others);
    }

    @Override
    public void partitionsChanged(List<PartitionState> states) {
        newest = List.copyOf(states);
        others.forEach(other -> other.partitionsChanged(states));
    }

    @Override
    public void eventOccurred(SequencedEvent event) {
        others.forEach(other -> other.eventOccurred(event));
    }

    @Override
    public CompletionStage<Void> published() {
        return CompletableFuture.allOf(others.stream().map(other -> other.published().toCompletableFuture())
            .toArray(CompletableFuture[]::new));
    }

    /** All partitions, ordered by name. */
    public List<PartitionState> newest() {
        return newest;
    }
}
