package org.daqfabric.impl.platform;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that a controller that OpenDaylight wants to restart does restart. A member of a cluster that the others gave
 * up stops its bundles to begin anew, and one of them may wait for ever for what the others do not answer. Looks on a
 * thread of its own: any other may be the one that waits.
 */
public final class MemberRestart implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemberRestart.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** What bin/karaf takes for a wish to be started again. */
    private static final int AGAIN = 10;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-restart").factory());
    private OptionalLong since = OptionalLong.empty();

    /** Looks from now on. */
    public MemberRestart() {
        thread.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
    }

    private static boolean isWanted() {
        return Boolean.getBoolean("karaf.restart.jvm");
    }

    /** Ends the process when it was to restart a while ago and has not ended by itself. */
    private void look() {
        if (!isWanted()) {
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

    /** Looks no longer, unless it is to restart: then what stops after this may still hang. */
    @Override
    public void close() {
        if (!isWanted()) {
            thread.shutdownNow();
        }
    }
}
