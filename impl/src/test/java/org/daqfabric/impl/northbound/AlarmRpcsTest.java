package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AlarmRpcsTest {
    private static final Instant NOW = Instant.parse("2026-11-30T03:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    /** All that are cleared can be purged, also those that were before somebody set the clock back. */
    @Test
    void purgesWhatIsOlder() {
        assertThat(AlarmRpcs.isOlder(NOW.minus(HOUR), HOUR, NOW)).isTrue();
        assertThat(AlarmRpcs.isOlder(NOW.minus(HOUR).plusMillis(1), HOUR, NOW)).isFalse();
        assertThat(AlarmRpcs.isOlder(NOW.plus(HOUR), Duration.ofSeconds(1), NOW)).isFalse();
        assertThat(AlarmRpcs.isOlder(NOW, Duration.ZERO, NOW)).isTrue();
        assertThat(AlarmRpcs.isOlder(NOW.plus(HOUR), Duration.ZERO, NOW)).isTrue();
    }
}
