package org.daqfabric.impl.metrics;

import java.time.Duration;
import org.daqfabric.impl.controller.spi.Recorder.LoopState;

/** Samples of the event loop of a fabric. */
final class LoopSamples {
    private LoopSamples() {
    }

    static void collect(String fabric, LoopState loop, Samples samples) {
        samples.add(Family.LOOP_STANDING, seconds(loop.standing()), fabric);
        samples.add(Family.EVENT_FAILURES, loop.failures(), fabric);
        samples.add(Family.LOOP_REBUILDS, loop.rebuilds(), fabric);
        samples.add(Family.DECISION_UNSTORED, seconds(loop.unstored()), fabric);
    }

    private static double seconds(Duration time) {
        return Math.max(0, time.toNanos() / 1e9);
    }
}
