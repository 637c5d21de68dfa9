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
        DropHistory history = DropHistory.EMPTY.with(List.of(episode("a", 1, 5), episode("b", 1, 6)), false);
        assertThat(history.known(episode("a", 1, 9))).contains(episode("a", 1, 5));
        assertThat(history.known(episode("a", 2, 5))).isEmpty();
        assertThat(history.with(List.of(episode("a", 1, 9)), false).newest())
            .containsExactly(episode("a", 1, 9), episode("b", 1, 6));
    }

    /** A switch that reconnects after a long time tells old episodes again: they are not new. */
    @Test
    void keepsTheNewest() {
        DropHistory history = DropHistory.EMPTY;
        for (int second : IntStream.range(0, DropHistory.MOST + 10).toArray()) {
            history = history.with(List.of(episode("s" + second, second, 1)), true);
        }
        int last = DropHistory.MOST + 9;
        assertThat(history.newest()).hasSize(DropHistory.MOST);
        assertThat(history.newest().getFirst()).isEqualTo(episode("s" + last, last, 1));
        assertThat(history.contains(episode("s3", 3, 1))).isTrue();
        assertThat(history.contains(episode("s3", 3, 2))).isFalse();
        assertThat(history.contains(episode("s3", 3000, 1))).isFalse();
        assertThat(history.with(List.of(episode("s3", 3, 1)), false)).isEqualTo(history);
    }

    /** When the controller begins, switches tell what they hold back, each when it connects. */
    @Test
    void whatWasHeldBackIsInTheOrderOfItsTimes() {
        DropHistory history = DropHistory.EMPTY.with(List.of(episode("a", 5, 1), episode("b", 1, 1)), false)
            .with(List.of(episode("c", 3, 1), episode("d", 9, 1), episode("e", 0, 1)), false);
        assertThat(history.newest()).extracting(DropEpisode::switchName).containsExactly("d", "a", "c", "b", "e");
    }

    /** What has just been is the newest, whatever its switch and this machine take for the time. */
    @Test
    void whatIsNowIsTheNewest() {
        DropHistory history = DropHistory.EMPTY;
        for (int second : IntStream.range(1000, 1000 + DropHistory.MOST).toArray()) {
            history = history.with(List.of(episode("s" + second, second, 1)), true);
        }
        assertThat(history.with(List.of(episode("slow", 1, 1)), true).newest()).hasSize(DropHistory.MOST)
            .first().isEqualTo(episode("slow", 1, 1));
    }
}
