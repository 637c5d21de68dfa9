package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a switch is late, and when whoever asks it is. */
class PaceTest {
    private static final long MILLI = 1_000_000;

    private static Pace frozen(Pace from, int rounds) {
        Pace pace = from;
        for (int round = 0; round < rounds; round++) {
            pace = pace.unanswered(Pace.ROUND + MILLI, Pace.PROMPTLY);
        }
        return pace;
    }

    private static Pace prompt(Pace from, int rounds) {
        Pace pace = from;
        for (int round = 0; round < rounds; round++) {
            pace = pace.answered(MILLI, Pace.PROMPTLY);
        }
        return pace;
    }

    /** The first second is no news yet; three that follow are. */
    @Test
    void lateAfterThreeOfTenRounds() {
        assertThat(frozen(Pace.PROMPT, 3).late()).isFalse();
        assertThat(frozen(Pace.PROMPT, 4).late()).isTrue();
        Pace twice = frozen(Pace.PROMPT, 3);
        assertThat(frozen(prompt(twice, 7), 2).late()).isTrue();
        assertThat(frozen(prompt(twice, 10), 2).late()).as("the first two are too long ago").isFalse();
    }

    /** An answer that ends a pause does not count once more, and ten in time end the alarm. */
    @Test
    void lateUntilTenRoundsWereInTime() {
        Pace late = frozen(Pace.PROMPT, 4).answered(MILLI, Pace.PROMPTLY);
        assertThat(prompt(late, 9).late()).isTrue();
        assertThat(prompt(late, 10)).isEqualTo(Pace.PROMPT);
        assertThat(frozen(Pace.PROMPT, 3).answered(MILLI, Pace.PROMPTLY).late()).isFalse();
    }

    /** A pause that no round saw counts once, from half a second after the round that it outlasted. */
    @Test
    void shortPauses() {
        Pace waits = Pace.PROMPT.unanswered(Pace.ROUND, Pace.PROMPTLY);
        assertThat(waits.answered(Pace.ROUND / 2, Pace.PROMPTLY)).isEqualTo(Pace.PROMPT);
        assertThat(waits.answered(Pace.ROUND / 2 + 1, Pace.PROMPTLY).rounds()).isOne();
    }

    /** However long whoever asks stood still, and whatever it then sees first: it alone was late. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void whoeverAsksStoodStill(long seed) {
        Random random = new Random(seed);
        Pace pace = Pace.PROMPT;
        for (int round = 0; round < 1000; round++) {
            long stood = Pace.ROUND + random.nextLong(10 * Pace.ROUND);
            pace = random.nextBoolean() ? pace.answered(stood, Pace.PROMPTLY)
                // the answer waits to be read at the end of the round, and is read soon after it
                : pace.unanswered(stood, Pace.PROMPTLY).answered(random.nextLong(Pace.ROUND / 2), Pace.PROMPTLY);
            assertThat(pace).isEqualTo(Pace.PROMPT);
        }
    }

    /** What ends with its connection is no answer, and no lack of one. */
    @Test
    void endedConnections() {
        assertThat(Pace.PROMPT.unanswered(Pace.ROUND, Pace.PROMPTLY).unasked()).isEqualTo(Pace.PROMPT);
        assertThat(frozen(Pace.PROMPT, 4).unasked().late()).isTrue();
    }

    /** It may take longer where whoever asks has given it something to do. */
    @Test
    void allowedLonger() {
        Pace pace = Pace.PROMPT;
        for (int round = 0; round < 5; round++) {
            pace = pace.unanswered(Pace.ROUND, Pace.PROMPTLY + 4 * Pace.ROUND);
        }
        assertThat(pace.rounds()).isZero();
        assertThat(pace.unanswered(Pace.ROUND, Pace.PROMPTLY + 4 * Pace.ROUND).rounds()).isOne();
    }
}
