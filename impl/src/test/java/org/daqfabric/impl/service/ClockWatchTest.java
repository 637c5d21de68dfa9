package org.daqfabric.impl.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
    private static final Duration START = Duration.ofDays(20_000);

    private final ClockWatch watch = new ClockWatch(START, Duration.ZERO);

    private Duration look(final double seconds, final double clock) {
        return watch.look(START.plusMillis((long) (1000 * clock)), Duration.ofMillis((long) (1000 * seconds)));
    }

    /** A clock that NTP steers for a month gains twenty minutes, and is not set. */
    @Test
    void steeringIsNoStep() {
        final double month = 30 * 86_400;
        for (double seconds = 0; seconds < month; seconds += 100) {
            assertThat(look(seconds, seconds * 1.0005)).isZero();
        }
    }

    /** Also when the controller has run for long. */
    @Test
    void stepsAreAdded() {
        assertThat(look(1_000_000, 1_000_500)).isZero();
        assertThat(look(1_000_000.5, 1_000_503.5)).isEqualTo(Duration.ofSeconds(3));
        assertThat(look(1_000_001, 1_000_504)).isEqualTo(Duration.ofSeconds(3));
        assertThat(look(1_000_002, 1_000_415)).isEqualTo(Duration.ofSeconds(-87));
        assertThat(look(1_000_003, 1_000_503)).isZero();
    }

    /** A JVM that starts slowly knows its start time less well than it knows the time between two looks. */
    @Test
    void theFirstLookTellsNothing() {
        final var late = new ClockWatch(START.plusSeconds(58), Duration.ofSeconds(60));
        assertThat(late.look(START.plusSeconds(59), Duration.ofSeconds(61))).isZero();
    }

    /** Between two looks far from each other a clock may be steered more. */
    @Test
    void longAgo() {
        assertThat(look(86_400, 86_443)).isZero();
        assertThat(look(2 * 86_400, 2 * 86_400 + 43 + 90)).isEqualTo(Duration.ofSeconds(90));
    }
}
