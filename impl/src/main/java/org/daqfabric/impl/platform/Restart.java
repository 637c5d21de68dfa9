package org.daqfabric.impl.platform;

import java.time.Duration;
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

    private Restart() {
    }

    /** Ends the process in a while if it is to restart and has not ended by itself. */
    public static void insist() {
        if (!Boolean.getBoolean("karaf.restart.jvm")) {
            return;
        }
        LOG.info("OpenDaylight restarts this controller");
        Thread.ofPlatform().daemon().name("daqfabric-restart").start(() -> {
            try {
                Thread.sleep(PATIENCE);
                Runtime.getRuntime().halt(AGAIN);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
