package org.daqfabric.impl.async;

import java.time.Duration;

/**
 * The pause before the next attempt at something that has failed. It doubles with every failure in a row, up to a
 * limit; whoever succeeds starts again with a new one.
 *
 * @param pause how long to wait before the next attempt
 * @param limit the longest pause
 */
public record Backoff(Duration pause, Duration limit) {
    public Backoff {
        pause = pause.compareTo(limit) > 0 ? limit : pause;
    }

    /** The pause after one more failure. */
    public Backoff doubled() {
        return new Backoff(pause.multipliedBy(2), limit);
    }
}
