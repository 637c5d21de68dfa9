package org.daqfabric.impl.access;

/**
 * How often logins failed lately, and until when no other is looked at. Some failures have no consequence; each after
 * them doubles the time until the next attempt, up to a bound. As time passes failures are forgotten, one by one.
 *
 * @param count not more than there is any use for
 * @param at nanoseconds since any time, up to which failures are forgotten
 * @param until nanoseconds since then, when the next attempt is looked at
 * @param guess the last password that was wrong, as a hash that nobody can turn back
 */
record FailedLogins(int count, long at, long until, int guess) {
    static final long SECOND = 1_000_000_000L;
    /** Far less than the shortest pause. */
    private static final long MOMENT = SECOND / 10;

    /**
     * What is allowed.
     *
     * @param free how many failures have no consequence
     * @param longest nanoseconds until another attempt is looked at, at most
     * @param forgotten nanoseconds after which one failure is forgotten
     */
    record Bound(int free, long longest, long forgotten) {
        /** An address from which that user has not logged in lately. */
        static final Bound STRANGE = new Bound(10, 30 * SECOND, 60 * SECOND);
        /** The same, while strangers try many passwords of that user. */
        static final Bound SUSPECT = new Bound(1, 30 * SECOND, 60 * SECOND);
        /** An address from which that user has logged in lately. */
        static final Bound KNOWN = new Bound(30, 5 * SECOND, 10 * SECOND);
        /** An address, whoever is tried from there: many may share it. */
        static final Bound ADDRESS = new Bound(1000, SECOND, SECOND / 10);
        /** A user, wherever from; more of them make {@link #STRANGE} addresses {@link #SUSPECT}. */
        static final Bound USER = new Bound(100, 0, 10 * SECOND);

        /** Nanoseconds after so many failures. */
        private long pause(int failures) {
            return failures < free ? 0 : Math.min(longest, SECOND << Math.min(failures - free, 30));
        }

        /** How many failures are counted: the bound is reached, and once quiet it is soon left. */
        private int most() {
            return free + 5;
        }
    }

    static FailedLogins none(long now) {
        return new FailedLogins(0, now, now, 0);
    }

    /** Without those that are forgotten by now. */
    FailedLogins at(long now, Bound bound) {
        long gone = Math.max(0, now - at) / bound.forgotten;
        return gone >= count ? new FailedLogins(0, now, until, guess)
            : new FailedLogins(count - (int) gone, at + gone * bound.forgotten, until, guess);
    }

    /** Whether any more have a consequence. */
    boolean isSpent(Bound bound) {
        return count >= bound.free;
    }

    /**
     * Nanoseconds until an attempt is looked at; 0 if one is now. What is left of a moment is none: of requests at the
     * same time, as of a page, each has read the clock a little before or after the others.
     */
    long pause(long now) {
        return until - now < MOMENT ? 0 : until - now;
    }

    /** An attempt is looked at: once failures have consequences, others wait until it is known what came of it. */
    FailedLogins begun(long now, Bound bound) {
        return new FailedLogins(count, at, later(now + bound.pause(count), now), guess);
    }

    /** An attempt failed. */
    FailedLogins failed(long now, Bound bound, int wrong) {
        int failures = Math.min(bound.most(), count + 1);
        return new FailedLogins(failures, count == 0 ? now : at, later(now + bound.pause(failures), now), wrong);
    }

    /** Whoever had to wait was right: others need not. */
    FailedLogins heard(long now) {
        return new FailedLogins(count, at, now, guess);
    }

    private long later(long then, long now) {
        return until - now > then - now ? until : then;
    }
}
