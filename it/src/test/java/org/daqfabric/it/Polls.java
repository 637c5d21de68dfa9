package org.daqfabric.it;

import java.time.Duration;
import org.awaitility.pollinterval.IterativePollInterval;
import org.awaitility.pollinterval.PollInterval;

/** How often tests look at what costs a controller, a browser or switches some work each time. */
final class Polls {
    /** Often at first, as most changes take a moment; four times a second later. */
    static final PollInterval GROWING = IterativePollInterval.iterative(
        last -> last.toMillis() < 200 ? last.multipliedBy(3).dividedBy(2) : last, Duration.ofMillis(50));

    private Polls() {
    }
}
