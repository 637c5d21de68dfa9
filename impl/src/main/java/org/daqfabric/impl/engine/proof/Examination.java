package org.daqfabric.impl.engine.proof;

/**
 * Whether one direction of a link carries packets of one size. Pairs of packets are sent: one out of the direction's
 * port, and one that begins in the switch behind it, by the same rules. If the second ones arrive and none of the first
 * ones does, the direction is silent; if neither do, the fault is elsewhere, or the controller's own. It ends when any
 * packet of that size has passed that was not sent before the one that is missed. Where the second
 * ones take long, switches or the controller are busy: then more pairs are sent, and the first ones have more time.
 * Where the switch behind the direction is not connected, the second ones begin in the next one that is.
 */
final class Examination {
    /** Pairs that are sent; more if they wait in a daqring, which may be full and drop some of them. */
    static final int PAIRS = 3;
    static final int PAIRS_THROUGH_RING = 8;
    static final int PAIRS_WHEN_BUSY = 12;
    private static final long BETWEEN_PAIRS = 40_000_000;
    private static final long BETWEEN_MANY = 20_000_000;
    /** The least time for packets across the link, in ns, where all that began behind it have arrived. */
    private static final long LEAST_WAIT = Trips.OVERDUE / 2;
    /** A packet that takes longer, in ns, has met somebody who is busy. */
    private static final long BUSY = 30_000_000;
    /** How much longer than a packet that begins behind the link one across it may take; less where more were sent. */
    private static final int PATIENCE = 10;
    private static final int PATIENCE_WHEN_BUSY = 4;

    private final ProofPath path;
    private final int behind;
    private final long missed;
    private final boolean large;
    private final long begin;
    private final long wait;
    private int pairs;
    private long slowest;
    private long lastSent;
    private int sent;
    private int confirmed;
    private int fromBehind;

    /**
     * Begins.
     *
     * @param behind how many directions the second packet of each pair leaves out; at least the first
     * @param missed when the packet was sent that is missed
     * @param wait how long packets may take, in ns, as those did of the chain that missed one
     */
    Examination(ProofPath path, int behind, long missed, boolean large, long begin, long wait) {
        this.wait = wait;
        this.path = path;
        this.behind = behind;
        this.missed = missed;
        this.large = large;
        this.begin = begin;
        pairs = path.throughRing() ? PAIRS_THROUGH_RING : PAIRS;
    }

    ProofPath path() {
        return path;
    }

    int behind() {
        return behind;
    }

    boolean isLarge() {
        return large;
    }

    /** Whether another pair is to be sent. */
    boolean isSending() {
        return sent < pairs;
    }

    long begin() {
        return begin;
    }

    /** A pair is sent now. */
    void sent(long now) {
        sent++;
        lastSent = now;
    }

    /**
     * Whether what has not arrived by now is lost. Where all that began behind the link have arrived, how long these
     * took says more than what packets took before.
     */
    boolean isOver(long now) {
        long least = fromBehind >= sent ? LEAST_WAIT : wait;
        return !isSending() && now >= lastSent
            + Math.max(least, (pairs >= PAIRS_WHEN_BUSY ? PATIENCE_WHEN_BUSY : PATIENCE) * slowest);
    }

    /** How long after a pair the next one is sent: more of them in the same time if some have taken long. */
    long pause() {
        return path.throughRing() || pairs >= PAIRS_WHEN_BUSY ? BETWEEN_MANY : BETWEEN_PAIRS;
    }

    /** The first switch has sent one out of the port. */
    void confirmed() {
        confirmed++;
    }

    /** Whether a packet that has passed shows that the direction carries packets. */
    boolean isAnsweredBy(long sentAt, boolean isLarge) {
        return sentAt >= missed && (isLarge || !large);
    }

    /**
     * One that began behind the link has arrived.
     *
     * @param took ns
     */
    void arrivedBehind(long took) {
        fromBehind++;
        slowest = Math.max(slowest, took);
        if (took > BUSY) {
            pairs = Math.max(pairs, PAIRS_WHEN_BUSY);
        }
    }

    /** All were sent, none came across, or this would have ended; and all but one at most came from behind. */
    boolean isLost() {
        return confirmed >= pairs - 1 && fromBehind >= pairs - 1;
    }
}
