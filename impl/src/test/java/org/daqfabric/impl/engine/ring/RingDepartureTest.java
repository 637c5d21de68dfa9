package org.daqfabric.impl.engine.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.daqfabric.api.program.Bridge;
import org.junit.jupiter.api.Test;

class RingDepartureTest {
    private static Bridge.Port ring(int number, int size, int burst, int interval) {
        return new Bridge.Port(number, "daqring", new TreeMap<>(Map.of("ring-size", Integer.toString(size), "max-burst",
            Integer.toString(burst), "polling-interval", Integer.toString(interval))), new TreeMap<>());
    }

    /** 4096 packets at 500/s take 8.192 s; 101 in bursts of 10 take eleven bursts. */
    @Test
    void timeIsThatOfAFullDaqringTwiceWithAMargin() {
        assertThat(RingDeparture.time(ring(10_000, 4096, 1, 2000))).isEqualTo(Duration.ofMillis(2000 + 2 * 8192));
        assertThat(RingDeparture.time(ring(10_000, 101, 10, 1000))).isEqualTo(Duration.ofMillis(2000 + 2 * 11));
        assertThat(RingDeparture.time(ring(10_000, 1_048_576, 1, 0))).isEqualTo(RingDeparture.MARGIN);
    }

    /** 100 packets of 65535 bytes at 8 Mbit/s take 6.5535 s. */
    @Test
    void timeIsThatOfTheLargestPacketsWhereBytesAreLimited() {
        Bridge.Port ring = new Bridge.Port(10_000, "daqring", new TreeMap<>(Map.of("ring-size", "100", "max-burst",
            "32", "polling-interval", "0", "max-rate", "8000")), new TreeMap<>());
        assertThat(RingDeparture.time(ring)).isEqualTo(Duration.ofMillis(2000 + 13_107));
    }

    @Test
    void slowestDecides() {
        assertThat(RingDeparture.longest(List.of(List.of(ring(10_000, 10, 1, 0)),
            List.of(ring(10_001, 10, 1, 0), ring(10_002, 100, 1, 10_000))))).isEqualTo(Duration.ofSeconds(4));
        assertThat(RingDeparture.longest(List.of())).isEqualTo(Duration.ZERO);
    }

    @Test
    void emptyOnesAreNotLeft() {
        List<Bridge.Port> rings = List.of(ring(10_000, 10, 1, 0), ring(10_001, 10, 1, 0), ring(10_002, 10, 1, 0));
        assertThat(RingDeparture.left(rings, Map.of(1, 7L, 10_000, 0L, 10_001, 5L))).isEqualTo(Map.of(10_001, 5L));
        assertThat(RingDeparture.left(rings, Map.of())).as("not known").hasSize(3);
    }
}
