package org.daqfabric.impl.northbound.request;

import java.util.Optional;
import org.daqfabric.impl.northbound.request.Shares.Owner;

/**
 * The 200 threads of the web server. A request has one until it is answered, or goes on without one, as a stream of
 * events does; a body that comes slowly holds it meanwhile. So a user has a quarter of them at most, all who may change
 * nothing have less than half of them together, and some are left for run control and administrators alone; the web
 * server needs the rest itself.
 */
final class Threads {
    static final int ALL = 150;
    static final int OF_USER = 50;
    static final int OF_READERS = 75;
    static final int RESERVE = 30;
    static final int RESERVE_OF_USER = 10;

    private final Shares shares = new Shares(ALL, OF_USER, OF_READERS);
    private final Shares reserve = new Shares(RESERVE, RESERVE_OF_USER, 0);

    /** A thread that somebody has, until it is given back. */
    record Taken(Shares from, Owner owner) {
        void giveBack() {
            from.take(owner, -1);
        }
    }

    /**
     * Takes a thread; empty if there is none for this request.
     *
     * @param isUrgent whether it is for run control or of an administrator: the reserve is for it as well
     */
    Optional<Taken> take(Owner owner, boolean isUrgent) {
        return shares.take(owner, 1) ? Optional.of(new Taken(shares, owner))
            : isUrgent && reserve.take(owner, 1) ? Optional.of(new Taken(reserve, owner)) : Optional.empty();
    }

    /** Why somebody was refused. */
    String refusal(Owner owner) {
        int own = shares.taken(owner.user()) + reserve.taken(owner.user());
        return own >= OF_USER
            ? owner.user() + " has " + own + " requests under way, which is all that one user may have at a time: send"
                + " fewer at a time, and bodies without a pause; ask again in a second"
            : "requests of others hold the web server's threads: ask again in a second";
    }
}
