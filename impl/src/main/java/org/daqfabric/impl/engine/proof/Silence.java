package org.daqfabric.impl.engine.proof;

import java.util.OptionalLong;

/**
 * Whether none arrives of all packets that are sent. Then what all of them share is at fault, the controller above all,
 * and nothing is known of any path. Times are monotonic, in ns.
 */
final class Silence {
    private static final long SECOND = 1_000_000_000;
    private static final long NOTICED = 5 * SECOND;
    private static final int FEWEST = 20;

    /** Packets in a row that were missed, when the first of them was sent, and when the last was missed. */
    private int missed;
    private long since;
    private long last;

    /** No packet has arrived since this one was sent. */
    void missed(long sent, long now) {
        if (missed == 0) {
            since = sent;
        }
        missed++;
        last = now;
    }

    void ended() {
        missed = 0;
    }

    /** Since when; empty if packets arrive, or none could be sent of late. */
    OptionalLong since(long now) {
        return missed >= FEWEST && now - since >= NOTICED && now - last < NOTICED ? OptionalLong.of(since)
            : OptionalLong.empty();
    }
}
