package org.daqfabric.impl.platform;

import java.time.Duration;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that a controller that OpenDaylight wants to restart does restart. A member of a cluster that the others gave
 * up stops its bundles to begin anew, and one of them may wait for ever for what the others do not answer.
 */
public final class Restart {
    private static final Logger LOG = LoggerFactory.getLogger(Restart.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** What bin/karaf takes for a wish to be started again. */
    private static final int AGAIN = 10;

    private OptionalLong since = OptionalLong.empty();

    /** To be called now and then: ends the process when it was to restart a while ago and has not ended by itself. */
    public void look() {
        if (!Boolean.getBoolean("karaf.restart.jvm")) {
            return;
        }
        long now = System.nanoTime();
        if (since.isEmpty()) {
            LOG.warn("the other members gave this controller up while they could not reach it: it restarts");
            since = OptionalLong.of(now);
        } else if (now - since.getAsLong() > PATIENCE.toNanos()) {
            LOG.warn("it did not stop within {} s: its process is ended", PATIENCE.toSeconds());
            Runtime.getRuntime().halt(AGAIN);
        }
    }
}
