package org.daqfabric.impl.runcontrol;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.run.PartitionState;

/** Receives the state of partitions and the events of partitions and fabrics, in order. Calls return at once. */
public interface RunListener {
    /** All partitions after a change, ordered by name. */
    void partitionsChanged(List<PartitionState> states);

    void eventOccurred(SequencedEvent event);

    /** Completes, possibly with a failure, when the partitions passed so far can be read in the datastore. */
    default CompletionStage<Void> published() {
        return CompletableFuture.completedStage(null);
    }
}
