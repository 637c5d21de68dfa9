package org.daqfabric.impl.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.async.Clocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node tells by its clock when its daqrings dropped packets; that of the controller may be set. */
class DropAgesTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** What the node's clock shows. */
    private Instant now = Instant.parse("2026-11-30T03:00:00Z");
    private Duration set = Duration.ZERO;
    private final DropAges ages = new DropAges(new Clocks(() -> now.plus(set), () -> now));

    private static DropEpisode episode(String switchName, Instant begin, int dropped) {
        return DropEpisode.begun(switchName, "d", new RingDrops(begin, Duration.ZERO, dropped, 1, 0, "1"));
    }

    private Duration age(Instant begin) {
        return ages.of("f", List.of(episode("s", begin, 1))).orElseThrow();
    }

    @Test
    void noneHaveNoAge() {
        assertThat(ages.of("f", List.of())).isEmpty();
    }

    /** Drops of now are new whatever somebody has set the clock to, and grow old as they do. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void dropsOfNowAreNew(int hours) {
        set = HOUR.multipliedBy(hours);
        Instant begin = now;
        assertThat(age(begin)).isZero();
        now = now.plusSeconds(400);
        set = HOUR.multipliedBy(-hours);
        assertThat(age(begin)).hasSeconds(400);
    }

    /** It is by the clock of this machine that drops are new, where that of a node is slow. */
    @Test
    void dropsOfNowAreNewOnANodeWhoseClockIsSlow() {
        assertThat(ages.of("f", List.of(episode("slow", now.minus(HOUR), 1).at(now)))).contains(Duration.ZERO);
    }

    /** A node whose clock is ahead hides no drops of others, and drops that go on are new. */
    @Test
    void dropsAreNewInWhateverOrder() {
        DropEpisode ahead = episode("ahead", now.plus(HOUR), 1);
        assertThat(ages.of("f", List.of(ahead))).contains(Duration.ZERO);
        now = now.plusSeconds(400);
        Instant begin = now;
        assertThat(ages.of("f", List.of(ahead, episode("s", begin, 1)))).contains(Duration.ZERO);
        now = now.plusSeconds(400);
        assertThat(ages.of("f", List.of(ahead, episode("s", begin, 1)))).contains(Duration.ofSeconds(400));
        assertThat(ages.of("f", List.of(ahead, episode("s", begin, 2)))).contains(Duration.ZERO);
    }

    /** What a node held back before the controller saw it is as old as it is. */
    @Test
    void whatIsToldLateIsOld() {
        assertThat(age(now.minus(HOUR))).isEqualTo(HOUR);
    }
}
