package org.daqfabric.impl.async;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The two clocks of a controller.
 *
 * @param wall the clock of the system, which somebody may set: for what is shown, stored, or read by others
 * @param steady a clock that nobody sets: for durations, deadlines and ages. It begins as the other one is when this
 *     process starts; its moments mean nothing outside this process
 */
public record Clocks(InstantSource wall, InstantSource steady) {
    /** The clocks of this machine. */
    public static Clocks system() {
        Instant begin = Instant.now();
        long nanos = System.nanoTime();
        return new Clocks(InstantSource.system(), () -> begin.plusNanos(System.nanoTime() - nanos));
    }
}
