package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PortRatesTest {
    private static final Instant T0 = Instant.parse("2026-11-25T20:00:00Z");
    private static final String PORT = "to-p1l1";

    private static Map<String, Map<String, Long>> counted(long received, long transmitted) {
        return Map.of(PORT, Map.of("rx_bytes", received, "tx_bytes", transmitted));
    }

    /** Half a minute: what was before does not count any more. */
    @Test
    void ofTheLastHalfMinute() {
        PortRates rates = PortRates.UNKNOWN;
        assertThat(rates.received(PORT, T0)).isEmpty();
        long[] received = { 0, 90_000_000_000L, 90_000_000_000L, 90_125_000_000L, 90_250_000_000L };
        for (int i = 0; i < received.length; i++) {
            rates = rates.after(T0.plusSeconds(10 * i), counted(received[i], 7));
        }
        Instant now = T0.plusSeconds(40);
        assertThat(rates.readings()).hasSize(4);
        assertThat(rates.received(PORT, now)).hasValue(0.0667);
        assertThat(rates.transmitted(PORT, now)).hasValue(0);
        assertThat(rates.received("another", now)).isEmpty();
    }

    /** One reading has no rate, and a switch that does not answer any more has none. */
    @Test
    void unknown() {
        PortRates one = PortRates.UNKNOWN.after(T0, counted(1000, 1000));
        assertThat(one.received(PORT, T0)).isEmpty();
        PortRates two = one.after(T0.plusSeconds(10), counted(125_001_000, 1000));
        assertThat(two.received(PORT, T0.plusSeconds(20))).hasValue(0.1);
        assertThat(two.received(PORT, T0.plusSeconds(46))).isEmpty();
        assertThat(two.after(T0.plusSeconds(20), Map.of()).received(PORT, T0.plusSeconds(20))).isEmpty();
    }

    /** Counters begin again when Open vSwitch does or a port is made again: what was before is another count. */
    @Test
    void beginsAgain() {
        PortRates rates = PortRates.UNKNOWN.after(T0, counted(500_000_000_000L, 0))
            .after(T0.plusSeconds(10), counted(1000, 0));
        assertThat(rates.received(PORT, T0.plusSeconds(10))).isEmpty();
        assertThat(rates.after(T0.plusSeconds(20), counted(250_001_000L, 0)).received(PORT, T0.plusSeconds(20)))
            .hasValue(0.2);
    }

    /** Whatever is counted and whenever, clocks that step back included, no rate is negative. */
    @ParameterizedTest
    @MethodSource("org.daqfabric.impl.engine.Seeds#seeds")
    void neverNegative(long seed) {
        Random random = new Random(seed);
        for (int run = 0; run < 20; run++) {
            PortRates rates = PortRates.UNKNOWN;
            Instant now = T0;
            for (int i = 0; i < 20; i++) {
                now = now.plusMillis(random.nextInt(25_000) - 5000);
                rates = rates.after(now, random.nextInt(5) == 0 ? Map.of()
                    : counted(random.nextInt(1_000_000), random.nextInt(1_000_000)));
                for (OptionalDouble rate : new OptionalDouble[] { rates.received(PORT, now),
                    rates.transmitted(PORT, now) }) {
                    assertThat(rate.orElse(0)).isNotNegative().isFinite();
                }
            }
        }
    }
}
