package org.daqfabric.impl.peers;

/** How often something may happen: so many times at once, and so many times a second from then on. Not thread-safe. */
public final class Allowance {
    private static final double SECOND = 1e9;

    private final double burst;
    private final double perSecond;
    private double left;
    private long last;

    /**
     * Allows a whole burst.
     *
     * @param now nanoseconds since any time
     */
    public Allowance(int burst, double perSecond, long now) {
        this.burst = burst;
        this.perSecond = perSecond;
        left = burst;
        last = now;
    }

    /** Whether it may happen now; if so it counts. */
    public boolean take(long now) {
        refill(now);
        if (left < 1) {
            return false;
        }
        left--;
        return true;
    }

    /** Whether nothing is left of what happened: a new one would be the same. */
    public boolean isWhole(long now) {
        refill(now);
        return left >= burst;
    }

    private void refill(long now) {
        left = Math.min(burst, left + Math.max(0, now - last) / SECOND * perSecond);
        last = now;
    }
}
