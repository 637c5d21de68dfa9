package org.daqfabric.impl.engine.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.api.state.RingDrops;
import org.junit.jupiter.api.Test;

class DropHistoryTest {
    private static DropEpisode episode(String switchName, long second, long dropped) {
        return DropEpisode.begun(switchName, "d", new RingDrops(Instant.ofEpochSecond(second), Duration.ZERO, dropped,
            10, 0, "10"));
    }

    /** A switch tells an episode that goes on twice: the later record counts, and is no other episode. */
    @Test
    void laterRecordReplacesTheEarlier() {
        DropHistory history = DropHistory.EMPTY.with(List.of(episode("a", 1, 5), episode("b", 1, 6)));
        assertThat(history.contains(episode("a", 1, 9))).isTrue();
        assertThat(history.contains(episode("a", 2, 5))).isFalse();
        assertThat(history.with(List.of(episode("a", 1, 9))).newest())
            .containsExactly(episode("a", 1, 9), episode("b", 1, 6));
    }

    /** A switch that reconnects after a long time tells old episodes again: they are not new. */
    @Test
    void keepsTheNewest() {
        DropHistory history = DropHistory.EMPTY;
        for (int second : IntStream.range(0, DropHistory.MOST + 10).toArray()) {
            history = history.with(List.of(episode("a", second, 1)));
        }
        assertThat(history.newest()).hasSize(DropHistory.MOST);
        assertThat(history.newest().getFirst()).isEqualTo(episode("a", DropHistory.MOST + 9, 1));
        assertThat(history.contains(episode("a", 3, 1))).isTrue();
        assertThat(history.contains(episode("a", 3000, 1))).isFalse();
        assertThat(history.with(List.of(episode("a", 3, 1)))).isEqualTo(history);
    }
}
