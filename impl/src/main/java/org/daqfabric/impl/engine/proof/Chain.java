package org.daqfabric.impl.engine.proof;

/** A path that is proven all the time, and its packet on the way; small and large ones are sent in turn. */
final class Chain {
    static final long NONE = -1;
    private static final long SECOND = 1_000_000_000;
    /** Packets a second of all chains together, unless each would then send less than once in the longest period. */
    private static final int MOST_RATE = 600;
    private static final long LONGEST_PERIOD = 700_000_000;
    /** Packets are sent together at such times: to write, and to read, several costs little more than one. */
    private static final long BETWEEN = SECOND / 20;
    /** Where there are more than are sent that often. */
    private static final long BETWEEN_MANY = SECOND / 4;

    final ProofPath path;
    final Trips trips;
    long due;
    boolean large;
    /** The number of the packet that is waited for, or {@link #NONE}. */
    long waiting = NONE;
    /** When the newest packet arrived. */
    long arrived = Long.MIN_VALUE;

    Chain(ProofPath path, Trips trips, long due) {
        this.path = path;
        this.trips = trips;
        this.due = due;
    }

    /** How often a packet is sent where there are so many chains, in ns, unless packets take long. */
    static long period(int chains) {
        return Math.clamp(chains * SECOND / MOST_RATE, Trips.PERIOD, LONGEST_PERIOD);
    }

    /**
     * When packets are sent together, at or before a time.
     *
     * @param period how often each chain sends one, in ns
     */
    static long due(long at, long period) {
        return at - Math.floorMod(at, period > Trips.PERIOD ? BETWEEN_MANY : BETWEEN);
    }

    /** How often a packet is sent, at least so many ns. */
    long period(long least) {
        return Math.max(least, trips.period());
    }

    boolean isWaiting() {
        return waiting != NONE;
    }
}
