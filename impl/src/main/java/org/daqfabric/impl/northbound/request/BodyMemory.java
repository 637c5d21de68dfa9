package org.daqfabric.impl.northbound.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory that bodies of requests take while they are worked on, in bytes. A short body always has room, as run
 * control sends no other: as many as there are threads do no harm. The rest is shared: a user has half of it at most,
 * and all users who may change nothing have half of it together, so that they do not keep out who may.
 */
final class BodyMemory {
    private final int small;
    private final int all;
    @GuardedBy("this")
    private int taken;
    @GuardedBy("this")
    private int takenByReaders;
    @GuardedBy("this")
    private final Map<String, Integer> takenBy = new HashMap<>();

    /**
     * None of it is taken.
     *
     * @param all what bodies take together, but for the beginning of each
     * @param small what the beginning of a body takes, which always has room
     */
    BodyMemory(int all, int small) {
        this.all = all;
        this.small = small;
    }

    /** Whose body it is. */
    record Owner(String user, boolean mayChange) {
    }

    /** What the body of one request takes. */
    final class Share {
        private final Owner owner;
        @GuardedBy("this")
        private int length;

        private Share(Owner owner) {
            this.owner = owner;
        }

        /** More was read; returns whether there is room for it. */
        synchronized boolean take(int more) {
            int before = Math.max(0, length - small);
            int now = Math.max(0, length + more - small);
            if (!add(owner, now - before)) {
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
            add(owner, -Math.max(0, length - small));
            length = 0;
        }
    }

    Share share(Owner owner) {
        return new Share(owner);
    }

    private synchronized boolean add(Owner owner, int more) {
        int ofUser = takenBy.getOrDefault(owner.user, 0) + more;
        int ofReaders = takenByReaders + (owner.mayChange ? 0 : more);
        if (more > 0 && (taken + more > all || ofUser > all / 2 || ofReaders > all / 2)) {
            return false;
        }
        taken += more;
        takenByReaders = ofReaders;
        if (ofUser == 0) {
            takenBy.remove(owner.user);
        } else {
            takenBy.put(owner.user, ofUser);
        }
        return true;
    }

    /** What is taken now. */
    synchronized int taken() {
        return taken;
    }
}
