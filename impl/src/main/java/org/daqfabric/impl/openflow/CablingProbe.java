package org.daqfabric.impl.openflow;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which ports are at the two ends of a cable: every 5 s it sends an LLDP frame out of each watched port, and
 * every 200 ms in the first seconds after the port has come up, as its link may wait for that; {@link
 * OpenFlowConnection} receives the frames where they arrive. Each port has a slot of its own within the 5 s, so that
 * neither the controller nor a switch, which limits the rate of packets to its controllers, gets a burst.
 */
final class CablingProbe implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CablingProbe.class);
    /** Of 50 ms: 5 s in all. */
    static final int SLOTS = 100;
    /** The same of a port that has come up. */
    static final int SLOTS_AT_FIRST = 4;
    private static final long AT_FIRST_NANOS = TimeUnit.SECONDS.toNanos(6);
    private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Coprime to the number of slots: ports with consecutive numbers get slots that are far apart. */
    private static final int STRIDE = 37;

    private final Map<Long, Set<Integer>> watched = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-cabling").factory());
    private final LongFunction<@Nullable SwitchSession> sessions;
    private long sentUntilSlot = System.nanoTime() / SLOT_NANOS;

    /**
     * Starts to send.
     *
     * @param sessions the session of a switch, or null
     */
    CablingProbe(final LongFunction<@Nullable SwitchSession> sessions) {
        this.sessions = sessions;
        timer.scheduleWithFixedDelay(this::send, SLOT_NANOS, SLOT_NANOS, TimeUnit.NANOSECONDS);
    }

    /** Sets the ports of a switch to send from, replacing those set before. */
    void watch(final long datapathId, final Set<Integer> ports) {
        if (ports.isEmpty()) {
            watched.remove(datapathId);
        } else {
            watched.put(datapathId, Set.copyOf(ports));
        }
    }

    /** Whether a port's slot of some is after one slot and up to another, both counted from any time. */
    static boolean isDue(final long datapathId, final int port, final int slots, final long after, final long until) {
        return Math.floorMod(Long.hashCode(datapathId) + (long) STRIDE * port - after - 1, slots) < until - after;
    }

    /** Sends what is due. An exception must not escape: it would end the periodic task. */
    @SuppressWarnings("checkstyle:illegalCatch") // a fault of one session must not stop the others
    private void send() {
        // slots missed while the machine was busy are caught up with, once
        final long after = sentUntilSlot;
        final long now = System.nanoTime() / SLOT_NANOS;
        sentUntilSlot = now;
        try {
            watched.forEach((datapathId, ports) -> {
                final var session = sessions.apply(datapathId);
                if (session != null && session.isOpen()) {
                    final var risen = session.risenWithin(AT_FIRST_NANOS);
                    ports.stream().filter(port -> isDue(datapathId, port, risen.contains(port) ? SLOTS_AT_FIRST : SLOTS,
                            after, now) && session.isUp(port))
                        .forEach(port -> session.transmit(1, out -> Encoder.packetOut(out, 0, List.of(port),
                            new LldpFrame(datapathId, port).bytes(), 1)));
                }
            });
        } catch (Throwable e) {
            LOG.warn("Frames that check cables could not be sent; others follow", e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
