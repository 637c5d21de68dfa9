package org.daqfabric.impl.engine.proof;

/**
 * How long packets take, smoothed, and by how much that varies (RFC 6298, section 2), in ns. What is waited for, and
 * how often packets are sent, follow from it: where they take long, links or switches are busy. Not thread-safe.
 */
final class Trips {
    private static final long MILLI = 1_000_000;
    /** How often packets are sent, unless they take long; and at least. */
    static final long PERIOD = 250 * MILLI;
    private static final long LONG_PERIOD = 1000 * MILLI;
    /** Where a packet takes longer than one of so many parts of the period, fewer are sent. */
    private static final int PARTS_OF_PERIOD = 5;
    /** After so long a packet is missed, unless packets take long; and at the latest. */
    static final long OVERDUE = 120 * MILLI;
    private static final long LONG_OVERDUE = 1000 * MILLI;

    /** A newer packet counts for one of so many, more than in TCP: what was long is to be forgotten in seconds. */
    private static final int GAIN = 4;

    private double trip = -1;
    private double variation;

    void took(long nanos) {
        if (trip < 0) {
            trip = nanos;
            variation = nanos / 2.0;
        } else {
            variation += (Math.abs(trip - nanos) - variation) / GAIN;
            trip += (nanos - trip) / GAIN;
        }
    }

    /** How often packets are sent. */
    long period() {
        return (long) Math.clamp(PARTS_OF_PERIOD * trip, PERIOD, LONG_PERIOD);
    }

    /** Whether packets take so long that fewer are sent. */
    boolean isSlow() {
        return PARTS_OF_PERIOD * trip > PERIOD;
    }

    /** After how long a packet is missed. */
    long overdue() {
        return (long) Math.clamp(trip + 4 * variation, OVERDUE, LONG_OVERDUE);
    }
}
