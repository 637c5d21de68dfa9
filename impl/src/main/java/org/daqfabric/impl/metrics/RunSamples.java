package org.daqfabric.impl.metrics;

import java.util.List;
import org.daqfabric.api.run.Health;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.run.RunState;

/** Samples of the partitions of run control. */
final class RunSamples {
    private RunSamples() {
    }

    static void collect(List<PartitionState> partitions, Samples samples) {
        for (PartitionState each : partitions) {
            Partition partition = each.partition();
            String[] labels = { partition.fabric(), partition.name() };
            samples.add(Family.PARTITION_REQUIRED, LabelText.bytesPerSecond(partition.required()), labels);
            for (RunState state : RunState.values()) {
                samples.add(Family.RUN_STATE, partition.state() == state ? 1 : 0, partition.fabric(), partition.name(),
                    LabelText.of(state));
            }
            each.condition().ifPresent(condition -> {
                samples.add(Family.PARTITION_ACHIEVABLE, LabelText.bytesPerSecond(condition.achievable()), labels);
                for (Health health : Health.values()) {
                    samples.add(Family.RUN_HEALTH, condition.health() == health ? 1 : 0, partition.fabric(),
                        partition.name(), LabelText.of(health));
                }
            });
        }
    }
}
