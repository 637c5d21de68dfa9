package org.daqfabric.impl.controller.whatif;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Topology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes repairs of failures that have not happened and discards them. The Java VM compiles code after it has run
 * some hundred times; without this the first real repairs after a start would run uncompiled and take several times as
 * long as later ones.
 */
public final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    /** Switches in all repairs together. A repair handles every switch, so a large fabric needs few repairs. */
    private static final int SWITCHES = 2000;
    private static final int MIN_REPAIRS = 50;
    /** One repair in this number is at the edge. */
    private static final int EDGE = 8;
    /** The longest time for which to keep a processor busy. */
    private static final Duration TIME_LIMIT = Duration.ofSeconds(15);

    private final DryRun run;
    private final UnusableLinks now;
    private final List<PortId> failing;
    private final Executor executor;
    private final InstantSource clock;
    private final Instant end;
    private int next;

    private WarmUp(Snapshot start, Executor executor, InstantSource clock) {
        run = new DryRun(start, Set.of());
        now = start.unusable();
        failing = failing(start.topology());
        this.executor = executor;
        this.clock = clock;
        end = clock.instant().plus(TIME_LIMIT);
    }

    /**
     * Begins with the present state of a fabric.
     *
     * @param executor runs one repair after another, and other tasks in between
     */
    public static void begin(Snapshot start, Executor executor, InstantSource clock) {
        new WarmUp(start, executor, clock).step();
    }

    private void step() {
        if (next == failing.size() || clock.instant().isAfter(end)) {
            // logs the number of messages, so that the compiler cannot drop the computations
            LOG.debug("fabric {}: warmed up by {} repairs, {} messages not sent", run.topology().spec().name(), next,
                run.messages());
            return;
        }
        Set<PortId> down = new HashSet<>(now.down());
        down.add(failing.get(next++));
        run.useLinks(new UnusableLinks(down));
        run.useLinks(now);
        try {
            executor.execute(this::step);
        } catch (RejectedExecutionException e) {
            LOG.debug("warming up ends: the controller shuts down");
        }
    }

    /**
     * Links inside the fabric and some at its edge, whose repairs take ten times as long; spread over the whole fabric.
     */
    private static List<PortId> failing(Topology topology) {
        List<PortId> inside = new ArrayList<>();
        List<PortId> edge = new ArrayList<>();
        for (Link link : topology.spec().links()) {
            boolean atEdge = topology.edges().containsKey(link.end().switchName())
                || topology.edges().containsKey(link.peer().switchName());
            (atEdge ? edge : inside).add(link.end());
        }
        int count = Math.max(MIN_REPAIRS, SWITCHES / Math.max(1, topology.roles().size()));
        List<PortId> failing = new ArrayList<>();
        for (int each = 0; each < count; each++) {
            List<PortId> kind = each % EDGE == EDGE - 1 ? edge : inside;
            if (!kind.isEmpty()) {
                failing.add(kind.get((int) ((long) each * kind.size() / count)));
            }
        }
        return failing;
    }
}
