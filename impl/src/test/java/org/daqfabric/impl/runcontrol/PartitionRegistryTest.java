package org.daqfabric.impl.runcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.daqfabric.api.run.Partition;
import org.junit.jupiter.api.Test;

/** What is kept of partitions that nobody uses. */
class PartitionRegistryTest {
    private static final Instant BEGIN = Instant.parse("2026-11-30T03:00:00Z");

    private final PartitionRegistry registry = new PartitionRegistry();

    /** The one that has been idle longest goes, not the one that was released after the clock was set back. */
    @Test
    void oldestGoes() {
        for (int number = 0; number < PartitionRegistry.MAX_IDLE; number++) {
            registry.put(Partition.idle("p" + number, BEGIN.plusSeconds(number)));
        }
        Instant later = BEGIN.plusSeconds(PartitionRegistry.MAX_IDLE);
        registry.put(Partition.idle("later", later));
        assertThat(registry.evictOldestIdle(later)).containsExactly("p0");
        Instant setBack = later.minus(Duration.ofHours(1));
        registry.put(Partition.idle("set-back", setBack));
        assertThat(registry.evictOldestIdle(setBack)).containsExactly("p1");
        assertThat(registry.find("set-back")).isPresent();
    }
}
