package org.daqfabric.impl.peers;

/**
 * How long a peer may keep the controller busy. A part of the time that passes becomes credit; a peer that has used its
 * credit up is not read for twice as long as it was worked for. Not thread-safe.
 */
public final class Credit {
    /** Part of the time that passes which becomes credit. */
    private static final int REFILL = 20;

    private long limit;
    private long credit;
    private long last;

    /**
     * Has a whole credit.
     *
     * @param limit nanoseconds
     * @param now nanoseconds since any time
     */
    public Credit(long limit, long now) {
        this.limit = limit;
        credit = limit;
        last = now;
    }

    /** Raises the credit to another limit, and fills it. */
    public void raise(long to) {
        if (to > limit) {
            limit = to;
            credit = to;
        }
    }

    /**
     * The peer was worked for.
     *
     * @return nanoseconds for which it is not to be read; mostly 0
     */
    public long worked(long nanos, long now) {
        credit = Math.min(limit, credit + Math.max(0, now - last) / REFILL) - nanos;
        last = now;
        if (credit >= 0) {
            return 0;
        }
        credit = 0;
        return 2 * nanos;
    }
}
