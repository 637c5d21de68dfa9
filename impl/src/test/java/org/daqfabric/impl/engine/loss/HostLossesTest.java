package org.daqfabric.impl.engine.loss;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalLong;
import org.daqfabric.api.state.FabricState.HostDrops;
import org.junit.jupiter.api.Test;

class HostLossesTest {
    private HostLosses losses = HostLosses.UNKNOWN;

    private void read(Map<String, Long> sockets, long backlogs) {
        losses = losses.after(sockets, OptionalLong.of(backlogs));
    }

    /** What was dropped before the first reading may be of last year. */
    @Test
    void onlyGrowthIsALoss() {
        read(Map.of("up1", 100L, "up2", 5L), 7);
        assertThat(losses.told()).contains(new HostDrops(0, 0));
        read(Map.of("up1", 110L, "up2", 6L, "up3", 1000L), 9);
        assertThat(losses.told()).contains(new HostDrops(11, 2));
        read(Map.of("up1", 110L, "up2", 6L, "up3", 1001L), 9);
        assertThat(losses.told()).contains(new HostDrops(12, 2));
    }

    /** A socket that was opened anew, or a host that has restarted, counts from 0. */
    @Test
    void aCounterThatBeginsAgainHasCountedSince() {
        read(Map.of("up1", 100L), 50);
        read(Map.of("up1", 120L), 60);
        read(Map.of("up1", 3L), 4);
        assertThat(losses.told()).contains(new HostDrops(23, 14));
    }

    /** A node that tells nothing is not known to drop nothing; what it has told counts on when it tells again. */
    @Test
    void aNodeThatTellsNothingIsUnknown() {
        assertThat(losses.told()).isEmpty();
        read(Map.of("up1", 0L), 0);
        read(Map.of("up1", 5L), 0);
        losses = losses.after(Map.of(), OptionalLong.empty());
        assertThat(losses.told()).isEmpty();
        read(Map.of("up1", 9L), 3);
        assertThat(losses.told()).contains(new HostDrops(5, 0));
    }
}
