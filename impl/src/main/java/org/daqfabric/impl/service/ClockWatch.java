package org.daqfabric.impl.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;

/**
 * Notices when the system's clock is set. A clock that is steered, as NTP does, gains or loses a little all the time,
 * in weeks more than somebody sets it by; so not what it has gained since the start tells, but what it gains from one
 * look to the next. Thread-safe.
 */
final class ClockWatch {
    /** A clock that gains or loses more from one look to the next is set: this and a share of the time between. */
    private static final Duration STEP = Duration.ofSeconds(1);
    /** Twice of what NTP steers at most. */
    private static final double STEERING = 0.001;

    @GuardedBy("this")
    private Duration clock;
    @GuardedBy("this")
    private Duration up;
    @GuardedBy("this")
    private Duration set = Duration.ZERO;

    /** Begins with a first look. */
    ClockWatch(Duration clock, Duration up) {
        this.clock = clock;
        this.up = up;
    }

    /**
     * Looks at the clock.
     *
     * @param now the clock
     * @param uptime the time since the start, of a clock that nobody sets
     * @return by how much it was set forward since the first look
     */
    synchronized Duration look(Duration now, Duration uptime) {
        Duration between = uptime.minus(up);
        Duration gained = now.minus(clock).minus(between);
        clock = now;
        up = uptime;
        if (gained.abs().compareTo(STEP.plusMillis((long) (STEERING * between.toMillis()))) > 0) {
            set = set.plus(gained);
        }
        return set;
    }
}
