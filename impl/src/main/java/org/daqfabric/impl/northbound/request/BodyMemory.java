package org.daqfabric.impl.northbound.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The memory that bodies of requests take while they are worked on, in bytes. A short body always has room, as run
 * control sends no other: as many as there are threads do no harm. The rest is shared: a user has half of it at most,
 * and all users who may change nothing have half of it together, so that they do not keep out who may.
 */
final class BodyMemory {
    private final int small;
    private final Shares shares;

    /**
     * None of it is taken.
     *
     * @param all what bodies take together, but for the beginning of each
     * @param small what the beginning of a body takes, which always has room
     */
    BodyMemory(int all, int small) {
        this.small = small;
        shares = new Shares(all, all / 2, all / 2);
    }

    /** What the body of one request takes. */
    final class Share {
        private final Shares.Owner owner;
        @GuardedBy("this")
        private int length;

        private Share(Shares.Owner owner) {
            this.owner = owner;
        }

        /** More was read; returns whether there is room for it. */
        synchronized boolean take(int more) {
            int before = Math.max(0, length - small);
            int now = Math.max(0, length + more - small);
            if (!shares.take(owner, now - before)) {
                return false;
            }
            length += more;
            return true;
        }

        synchronized int length() {
            return length;
        }

        /** Gives all of it back. */
        synchronized void release() {
            shares.take(owner, -Math.max(0, length - small));
            length = 0;
        }
    }

    Share share(Shares.Owner owner) {
        return new Share(owner);
    }

    /** What is taken now. */
    int taken() {
        return shares.taken();
    }
}
