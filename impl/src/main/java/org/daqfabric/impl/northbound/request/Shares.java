package org.daqfabric.impl.northbound.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.security.Principal;
import java.util.HashMap;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;
import org.daqfabric.impl.access.UserRole;

/**
 * Something that there is a limited amount of, and that requests take: one user has a share of it at most, and all
 * users who may change nothing have a share of it together, so that they do not keep out who may.
 */
final class Shares {
    private final int all;
    private final int ofUser;
    private final int ofReaders;
    @GuardedBy("this")
    private int taken;
    @GuardedBy("this")
    private int takenByReaders;
    @GuardedBy("this")
    private final Map<String, Integer> takenBy = new HashMap<>();

    /**
     * None of it is taken.
     *
     * @param all how much there is
     * @param ofUser how much one user has at most
     * @param ofReaders how much all who may change nothing have together
     */
    Shares(int all, int ofUser, int ofReaders) {
        this.all = all;
        this.ofUser = ofUser;
        this.ofReaders = ofReaders;
    }

    /** Who takes of it. */
    record Owner(String user, boolean mayChange) {
        /** Who has only roles of others is not limited by ours, and may change something. */
        static Owner of(HttpServletRequest request) {
            Principal user = request.getUserPrincipal();
            return new Owner(user == null ? "" : user.getName(),
                UserRole.highest(request::isUserInRole).map(UserRole::mayChange).orElse(true));
        }
    }

    /** Takes more, or gives back what is negative; returns whether there was as much. */
    synchronized boolean take(Owner owner, int more) {
        int byUser = takenBy.getOrDefault(owner.user, 0) + more;
        int byReaders = takenByReaders + (owner.mayChange ? 0 : more);
        if (more > 0 && (taken + more > all || byUser > ofUser || byReaders > ofReaders)) {
            return false;
        }
        taken += more;
        takenByReaders = byReaders;
        if (byUser == 0) {
            takenBy.remove(owner.user);
        } else {
            takenBy.put(owner.user, byUser);
        }
        return true;
    }

    /** What is taken now. */
    synchronized int taken() {
        return taken;
    }

    /** What a user has taken. */
    synchronized int taken(String user) {
        return takenBy.getOrDefault(user, 0);
    }
}
