package org.daqfabric.impl.engine.doctor;

/**
 * How promptly a switch has answered a question a second in the last ten rounds. It is late if it was in three of them,
 * and until it was in none of ten: what keeps it busy comes and goes, and an alarm must not come and go with it.
 *
 * <p>Of the time between two rounds a second counts at most: whoever asks and reads answers in one thread, once a
 * second, was late itself for the rest, and the answer may have been there all the while.
 *
 * @param rounds a bit for each round, the newest the lowest; set if it was late in that
 * @param late whether it answers late
 * @param waited nanoseconds that the open question had waited at the last round
 * @param counted whether the open question has counted as late
 */
public record Pace(int rounds, boolean late, long waited, boolean counted) {
    public static final Pace PROMPT = new Pace(0, false, 0, false);
    /** Nanoseconds between two rounds. */
    public static final long ROUND = 1_000_000_000L;
    /**
     * Nanoseconds that an answer may take. More than a round, so that a switch is late only if it has not answered by
     * the end of one, nor half a second later: by then what had arrived by the end of that round is read.
     */
    public static final long PROMPTLY = ROUND + ROUND / 2;

    private static final int ROUNDS = 10;
    private static final int LATE_ROUNDS = 3;

    /**
     * After a round at whose end the question is still open: one that is late is so in every round again.
     *
     * @param passed nanoseconds since the round before, or since the question
     * @param allowed nanoseconds that the answer may take
     */
    public Pace unanswered(long passed, long allowed) {
        long now = waited + Math.min(passed, ROUND);
        return now > allowed ? after(true, now, true) : new Pace(rounds, late, now, counted);
    }

    /**
     * After a round in which the answer has arrived; if the question has counted before, that it ends is no news.
     *
     * @param passed nanoseconds from the round before, or from the question, to the answer
     * @param allowed nanoseconds that the answer might take
     */
    public Pace answered(long passed, long allowed) {
        return counted ? unasked() : after(waited + Math.min(passed, ROUND) > allowed, 0, false);
    }

    /** Nothing is known of the open question, as its connection has ended. */
    public Pace unasked() {
        return new Pace(rounds, late, 0, false);
    }

    private Pace after(boolean lateNow, long waitedNow, boolean countedNow) {
        int now = (rounds << 1 | (lateNow ? 1 : 0)) & (1 << ROUNDS) - 1;
        return new Pace(now, late ? now != 0 : Integer.bitCount(now) >= LATE_ROUNDS, waitedNow, countedNow);
    }
}
