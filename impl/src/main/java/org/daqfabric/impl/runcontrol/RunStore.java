package org.daqfabric.impl.runcontrol;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.run.Partition;

/** Keeps partitions across restarts. Calls take effect in order. */
public interface RunStore {
    CompletionStage<List<Partition>> load();

    CompletionStage<Void> save(Partition partition);

    CompletionStage<Void> delete(String partition);
}
