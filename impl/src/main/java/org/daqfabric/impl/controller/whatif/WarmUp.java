package org.daqfabric.impl.controller.whatif;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Link;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes repairs of a fabric that does not exist, when the controller starts. The Java VM compiles code after it has
 * run some hundred times; without this the first real repairs after a start would run uncompiled and take several times
 * as long as later ones, and if it came later it would take the processors from them.
 */
public final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    /** How often every link fails. */
    private static final int ROUNDS = 4;
    /** In this number of rounds repairs have their first step only, which is all that traffic waits for. */
    private static final int FIRST_STEPS = 2;
    /** The longest time for which to keep a processor busy. */
    private static final Duration TIME_LIMIT = Duration.ofSeconds(15);

    private final DryRun run = new DryRun(RehearsedFabric.snapshot(), Set.of());
    private final Executor executor;
    private final InstantSource clock;
    private final Instant end;
    private int next;

    private WarmUp(Executor executor, InstantSource clock) {
        this.executor = executor;
        this.clock = clock;
        end = clock.instant().plus(TIME_LIMIT);
    }

    /**
     * Begins.
     *
     * @param executor runs one repair after another, and other tasks in between
     */
    public static void begin(Executor executor, InstantSource clock) {
        executor.execute(() -> new WarmUp(executor, clock).step());
    }

    private void step() {
        var links = run.topology().spec().links();
        if (next == ROUNDS * links.size() || clock.instant().isAfter(end)) {
            // logs the number of messages, so that the compiler cannot drop the computations
            LOG.debug("warmed up by {} repairs, {} messages not sent", next, run.messages());
            return;
        }
        Link failing = links.get(next % links.size());
        UnusableLinks failed = new UnusableLinks(Set.of(failing.end()));
        if (next++ < FIRST_STEPS * links.size()) {
            run.discardFirstStep(failed);
        } else {
            run.useLinks(failed);
            run.useLinks(UnusableLinks.ALL_UP);
        }
        try {
            executor.execute(this::step);
        } catch (RejectedExecutionException e) {
            LOG.debug("warming up ends: the controller shuts down");
        }
    }
}
