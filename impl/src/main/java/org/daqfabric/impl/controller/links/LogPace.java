package org.daqfabric.impl.controller.links;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/** Keeps what changes again and again from filling the log: the same is logged once a minute. */
final class LogPace {
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final Map<Object, Instant> logged = new HashMap<>();

    /**
     * Nothing was logged yet.
     *
     * @param clock one that nobody sets
     */
    LogPace(InstantSource clock) {
        this.clock = clock;
    }

    /** Whether to log something now; true counts as done. */
    boolean allows(Object what) {
        Instant now = clock.instant();
        logged.values().removeIf(when -> when.isBefore(now.minus(SILENCE)));
        return logged.putIfAbsent(what, now) == null;
    }
}
