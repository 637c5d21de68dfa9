package org.daqfabric.impl.openflow;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.daqfabric.impl.peers.Limit;

/**
 * What all peers together have sent that have not described themselves yet, which the controller may have to hold.
 * Where it is too much the one that sent the most goes; one that comes from where a node of a fabric is may send more.
 * Thread-safe.
 */
final class HandshakeBytes {
    private static final long LEAST = 32 << 20;
    /** Part of the heap. */
    private static final int PART = 8;
    /** How many times more the bytes count of those that nobody expects. */
    private static final int STRANGER_WEIGHT = 8;

    @GuardedBy("this")
    private final Map<ChannelGuard, Long> bytes = new HashMap<>();
    @GuardedBy("this")
    private long total;
    private final long most;

    /** For this machine: where hundreds of switches connect at once, each with thousands of daqrings. */
    HandshakeBytes() {
        this(Math.max(LEAST, Runtime.getRuntime().maxMemory() / PART));
    }

    HandshakeBytes(final long most) {
        this.most = most;
    }

    void add(final ChannelGuard guard, final int count) {
        ChannelGuard largest = null;
        synchronized (this) {
            bytes.merge(guard, (long) count, Long::sum);
            total += count;
            if (total > most) {
                largest = bytes.entrySet().stream().max(Comparator.comparingLong(HandshakeBytes::weight)).orElseThrow()
                    .getKey();
                remove(largest);
            }
        }
        if (largest != null) {
            largest.refuse(Limit.MEMORY, "it sent the most of all that have not described themselves, and together"
                + " they sent over " + most + " bytes");
        }
    }

    private static long weight(final Map.Entry<ChannelGuard, Long> sent) {
        return sent.getValue() * (sent.getKey().isExpected() ? 1 : STRANGER_WEIGHT);
    }

    synchronized void remove(final ChannelGuard guard) {
        final Long before = bytes.remove(guard);
        total -= before == null ? 0 : before;
    }

    synchronized long total() {
        return total;
    }
}
