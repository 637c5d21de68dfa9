package org.daqfabric.impl.runcontrol;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.daqfabric.api.run.Partition;

/** Why the configuration of fabrics must not change. */
public final class FrozenFabrics {
    private FrozenFabrics() {
    }

    /** By fabric, for the runs that go on. */
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
