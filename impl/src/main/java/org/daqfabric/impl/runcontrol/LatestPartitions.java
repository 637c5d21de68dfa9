package org.daqfabric.impl.runcontrol;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.run.PartitionState;

/** Keeps the newest state of all partitions for whoever asks, from any thread, and hands on what it hears. */
public final class LatestPartitions implements RunListener {
    private final List<RunListener> others;
    private volatile List<PartitionState> newest = List.of();

    /** Starts empty; hands on to these, in this order. */
    public LatestPartitions(RunListener... others) {
        this.others = List.of(others);
    }

    @Override
    public void partitions(List<PartitionState> states) {
        newest = List.copyOf(states);
        others.forEach(other -> other.partitions(states));
    }

    @Override
    public void happened(SequencedEvent event) {
        others.forEach(other -> other.happened(event));
    }

    @Override
    public CompletionStage<Void> shown() {
        return CompletableFuture.allOf(others.stream().map(other -> other.shown().toCompletableFuture())
            .toArray(CompletableFuture[]::new));
    }

    /** All partitions, ordered by name. */
    public List<PartitionState> newest() {
        return newest;
    }
}
