package org.daqfabric.impl.runcontrol;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.run.PartitionState;

/** Hears what becomes of partitions and fabrics, in order; returns at once. */
public interface RunListener {
    /** All partitions after a change, ordered by name. */
    void partitions(List<PartitionState> states);

    void happened(SequencedEvent event);

    /** Done, or failed, when the partitions told so far can be read by others. */
    default CompletionStage<Void> shown() {
        return CompletableFuture.completedStage(null);
    }
}
