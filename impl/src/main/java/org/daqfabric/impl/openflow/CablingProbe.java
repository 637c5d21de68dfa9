package org.daqfabric.impl.openflow;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which ports are at the two ends of a cable: every 5 s it sends a frame out of each port it is told of;
 * {@link OpenFlowConnection} hears where the frames arrive. Every port has a moment of its own within the 5 s, so that neither the
 * controller nor a switch, which limits the packets it passes on, meets a burst.
 */
final class CablingProbe implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CablingProbe.class);
    static final int MOMENTS = 100;
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Has no divisor in common with the number of moments: ports with numbers in a row are far apart. */
    private static final int STRIDE = 37;

    private final Map<Long, Set<Integer>> watched = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-cabling").factory());
    private final LongFunction<SwitchSession> sessions;
    private long sentUntil = System.nanoTime() / MOMENT_NANOS;

    /**
     * Starts to send.
     *
     * @param sessions the session of a switch, or null
     */
    CablingProbe(final LongFunction<SwitchSession> sessions) {
        this.sessions = sessions;
        timer.scheduleWithFixedDelay(this::send, MOMENT_NANOS, MOMENT_NANOS, TimeUnit.NANOSECONDS);
    }

    /** The ports of a switch to send from, in place of those told before. */
    void watch(final long datapathId, final Set<Integer> ports) {
        if (ports.isEmpty()) {
            watched.remove(datapathId);
        } else {
            watched.put(datapathId, Set.copyOf(ports));
        }
    }

    /** Whether a port has its moment after one and up to another, both counted since any time. */
    static boolean isDue(final long datapathId, final int port, final long after, final long until) {
        return Math.floorMod(Long.hashCode(datapathId) + (long) STRIDE * port - after - 1, MOMENTS) < until - after;
    }

    /** A failure here must not end what is to happen again and again. */
    @SuppressWarnings("checkstyle:illegalCatch")
    private void send() {
        // what was missed while the machine was busy is made up for, once
        final long after = sentUntil;
        final long now = System.nanoTime() / MOMENT_NANOS;
        sentUntil = now;
        try {
            watched.forEach((datapathId, ports) -> {
                final var session = sessions.apply(datapathId);
                if (session != null && session.isOpen()) {
                    ports.stream().filter(port -> isDue(datapathId, port, after, now) && session.isUp(port))
                        .forEach(port -> session.transmit(port, new LldpFrame(datapathId, port).bytes()));
                }
            });
        } catch (RuntimeException e) {
            LOG.warn("Frames that check cables could not be sent; others follow", e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
