package org.daqfabric.impl.engine.proof;

/** A path that is proven all the time, and its packet on the way; small and large ones are sent in turn. */
final class Chain {
    static final long NONE = -1;

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

    boolean isWaiting() {
        return waiting != NONE;
    }
}
