package org.daqfabric.impl.runcontrol;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.daqfabric.api.run.Partition;

/** Fabrics whose configuration must not change, and why: a run is in progress. */
public final class FrozenFabrics {
    private FrozenFabrics() {
    }

    /** The reason for each fabric with a run in progress, by fabric. */
    public static Map<String, String> of(Collection<Partition> partitions) {
        Map<String, String> reasons = new HashMap<>();
        partitions.stream().filter(Partition::isRunning).forEach(partition ->
            reasons.put(partition.fabric(), reason(partition.name(), partition.run().orElseThrow().number())));
        return reasons;
    }

    static String reason(String partition, long run) {
        return "run " + run + " of partition " + partition + " goes on: stop it first";
    }
}
