package org.daqfabric.impl.runcontrol;

import java.util.List;
import org.daqfabric.api.run.PartitionState;

/** Hears what becomes of partitions and fabrics, in order; returns at once. */
public interface RunListener {
    /** All partitions after a change, ordered by name. */
    void partitions(List<PartitionState> states);

    void happened(Event event);
}
