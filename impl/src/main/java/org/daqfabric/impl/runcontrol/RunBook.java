package org.daqfabric.impl.runcontrol;

import java.util.List;
import org.daqfabric.api.run.PartitionState;

/** Keeps the newest state of all partitions for whoever asks, from any thread, and hands on what it hears. */
public final class RunBook implements RunListener {
    private final RunListener next;
    private volatile List<PartitionState> newest = List.of();

    public RunBook(RunListener next) {
        this.next = next;
    }

    @Override
    public void partitions(List<PartitionState> states) {
        newest = List.copyOf(states);
        next.partitions(states);
    }

    @Override
    public void happened(Event event) {
        next.happened(event);
    }

    /** All partitions, ordered by name. */
    public List<PartitionState> newest() {
        return newest;
    }
}
