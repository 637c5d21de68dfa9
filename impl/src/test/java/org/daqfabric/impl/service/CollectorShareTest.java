package org.daqfabric.impl.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CollectorShareTest {
    private final CollectorShare share = new CollectorShare();

    private double look(final double up, final double collecting) {
        return share.look(Duration.ofMillis((long) (up * 1000)), Duration.ofMillis((long) (collecting * 1000)));
    }

    /** A controller that collects a lot after weeks is told from one that does not, and so is the end of it. */
    @Test
    void onlyTheLastMinuteCounts() {
        final double weeks = 3_000_000;
        assertThat(look(weeks, 1000)).isZero();
        double collecting = 1000;
        for (int second = 1; second <= 120; second++) {
            collecting += second <= 60 ? 0.5 : 0.01;
            final double found = look(weeks + second, collecting);
            if (second == 60) {
                assertThat(found).isEqualTo(0.5);
            }
            if (second == 90) {
                assertThat(found).isBetween(0.25, 0.26);
            }
        }
        assertThat(look(weeks + 121, collecting + 0.01)).isBetween(0.009, 0.011);
    }

    /** Starting collects a lot, which does not matter. */
    @Test
    void theFirstMinuteTellsNothing() {
        assertThat(look(5, 3)).isZero();
        assertThat(look(64, 30)).isZero();
        assertThat(look(65.5, 30)).isBetween(0.44, 0.45);
    }
}
