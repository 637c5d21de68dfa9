package org.daqfabric.impl.alarms;

import java.time.Duration;
import java.time.Instant;
import org.daqfabric.impl.async.Backoff;

/**
 * When the list may be stored next. Something that flaps must not write to the datastore without end: after each write
 * the next one waits, twice as long every time up to a minute, until nothing was written for five minutes. What is
 * written then is the newest list.
 *
 * @param next not before, by a clock that nobody sets
 */
record StorePace(Instant next, Backoff backoff) {
    private static final Backoff SHORTEST = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
    private static final Duration QUIET = Duration.ofMinutes(5);
    static final StorePace NEW = new StorePace(Instant.MIN, SHORTEST);

    boolean allows(Instant now) {
        return !now.isBefore(next);
    }

    StorePace wrote(Instant now) {
        boolean quiet = next.equals(Instant.MIN) || now.isAfter(next.plus(QUIET));
        Backoff pause = quiet ? SHORTEST : backoff.doubled();
        return new StorePace(now.plus(pause.pause()), pause);
    }
}
