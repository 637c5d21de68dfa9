package org.daqfabric.impl.platform;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure that a controller restarts when OpenDaylight wants it to. A member that the others have removed from the
 * cluster stops its bundles in order to start again, and one of them may wait forever for an answer of the others. The
 * check has a thread of its own, because any other thread may be the one that waits.
 */
public final class MemberRestart implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemberRestart.class);
    /** The others have the data and the lease: nothing is left that a longer stop would save. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
    /** With this exit code bin/karaf starts the process again. */
    private static final int RESTART_EXIT_CODE = 10;
    private static final String REQUEST = "karaf.restart.jvm";

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-restart").factory());
    private OptionalLong requestedSince = OptionalLong.empty();

    /** Checks periodically from now on. */
    public MemberRestart() {
        thread.scheduleWithFixedDelay(this::check, 1, 1, TimeUnit.SECONDS);
    }

    /** Restarts the controller in the way OpenDaylight does. */
    public static void request(BundleContext bundles) {
        System.setProperty(REQUEST, "true");
        System.setProperty("karaf.restart", "true");
        try {
            bundles.getBundle(0).stop();
        } catch (BundleException e) {
            LOG.warn("it does not stop: its process will be ended", e);
        }
    }

    private static boolean isRestartRequested() {
        return Boolean.getBoolean(REQUEST);
    }

    /** Ends the process if a restart was requested some time ago and it has not ended by itself. */
    private void check() {
        if (!isRestartRequested()) {
            return;
        }
        long now = System.nanoTime();
        if (requestedSince.isEmpty()) {
            LOG.warn("the controller restarts: the other members could not reach it and have removed it, or a shard of"
                + " its datastore is blocked");
            requestedSince = OptionalLong.of(now);
        } else if (now - requestedSince.getAsLong() > STOP_TIMEOUT.toNanos()) {
            LOG.warn("it did not stop within {} s: its process is ended", STOP_TIMEOUT.toSeconds());
            Runtime.getRuntime().halt(RESTART_EXIT_CODE);
        }
    }

    /** Stops checking, unless a restart was requested: whatever is stopped after this may still hang. */
    @Override
    public void close() {
        if (!isRestartRequested()) {
            thread.shutdownNow();
        }
    }
}
