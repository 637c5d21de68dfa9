package org.daqfabric.impl.peers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which connections are kept where there are more than places. Wanted peers keep theirs. Of the others those go first
 * that come from no wanted address; of these the ones from the address that has the most; of these the strangers; and
 * of these the oldest, since an honest peer says soon who it is. So nobody who has one address, or a few, keeps others
 * out, known or not. Thread-safe.
 *
 * @param <C> a connection
 */
public final class Places<C> {
    @GuardedBy("this")
    private final Map<C, Place<C>> places = new LinkedHashMap<>();
    /** Connections that are not wanted. */
    @GuardedBy("this")
    private final Map<InetAddress, Integer> unwanted = new HashMap<>();
    @GuardedBy("this")
    private int strangers;
    @GuardedBy("this")
    private int named;
    private final Limits limits;
    private final WantedAddresses addresses;

    /**
     * Connections at a time.
     *
     * @param all in all
     * @param strangers of peers that have not said who they are
     * @param unwanted of peers that have, and are in no fabric
     * @param ofAddress of one address, not counting wanted peers; wanted addresses have no such limit, but beyond it
     *        they are no longer preferred
     */
    public record Limits(int all, int strangers, int unwanted, int ofAddress) {
    }

    /** A connection to be closed. */
    public record Refused<C>(C connection, Limit limit, String why) {
    }

    private enum Standing { STRANGER, NAMED, WANTED }

    private static final class Place<C> {
        private final C connection;
        private final InetAddress address;
        /** Whether the controller connected, instead of the peer. */
        private final boolean dialled;
        private Standing standing = Standing.STRANGER;

        Place(C connection, InetAddress address, boolean dialled) {
            this.connection = connection;
            this.address = address;
            this.dialled = dialled;
        }
    }

    /** Has no connections yet. */
    public Places(Limits limits, WantedAddresses addresses) {
        this.limits = limits;
        this.addresses = addresses;
    }

    /**
     * A connection was made.
     *
     * @param dialled whether the controller made it
     * @return those to be closed; may be the new one
     */
    public synchronized List<Refused<C>> arrived(C connection, InetAddress address, boolean dialled) {
        Place<C> fresh = new Place<>(connection, address, dialled);
        places.put(connection, fresh);
        count(fresh, 1);
        List<Refused<C>> refused = new ArrayList<>();
        if (!dialled && !addresses.contains(address) && unwantedOf(address) > limits.ofAddress) {
            refuse(fresh, Limit.ADDRESS, limits.ofAddress + " connections of an address that no node of a fabric has",
                each -> each.address.equals(address), refused);
        }
        if (strangers > limits.strangers) {
            refuse(fresh, Limit.STRANGERS, limits.strangers + " connections that do not say who they are",
                each -> each.standing == Standing.STRANGER, refused);
        }
        if (places.size() > limits.all) {
            refuse(fresh, Limit.CONNECTIONS, limits.all + " connections at a time", each -> true, refused);
        }
        return refused;
    }

    /**
     * A peer has said who it is.
     *
     * @return those to be closed; may be this one
     */
    public synchronized List<Refused<C>> named(C connection) {
        Place<C> place = places.get(connection);
        List<Refused<C>> refused = new ArrayList<>();
        if (place != null && place.standing == Standing.STRANGER) {
            stand(place, Standing.NAMED);
            if (named > limits.unwanted) {
                refuse(place, Limit.UNWANTED, limits.unwanted + " connections of peers in no fabric",
                    each -> each.standing == Standing.NAMED, refused);
            }
        }
        return refused;
    }

    /** A peer that has said who it is turned out to be in a fabric, or is in none any more. */
    public synchronized void wanted(C connection, boolean isWanted) {
        Place<C> place = places.get(connection);
        if (place != null && place.standing != Standing.STRANGER) {
            stand(place, isWanted ? Standing.WANTED : Standing.NAMED);
            if (isWanted) {
                addresses.add(place.address);
            }
        }
    }

    public synchronized boolean isWanted(C connection) {
        Place<C> place = places.get(connection);
        return place != null && place.standing == Standing.WANTED;
    }

    /**
     * A connection has ended.
     *
     * @return whether its peer never said who it is
     */
    public synchronized boolean ended(C connection) {
        Place<C> place = places.remove(connection);
        if (place == null) {
            return false;
        }
        count(place, -1);
        return place.standing == Standing.STRANGER;
    }

    public synchronized int size() {
        return places.size();
    }

    @GuardedBy("this")
    private void stand(Place<C> place, Standing standing) {
        count(place, -1);
        place.standing = standing;
        count(place, 1);
    }

    @GuardedBy("this")
    private void count(Place<C> place, int by) {
        strangers += place.standing == Standing.STRANGER ? by : 0;
        named += place.standing == Standing.NAMED ? by : 0;
        if (place.standing != Standing.WANTED) {
            unwanted.merge(place.address, by, Integer::sum);
            unwanted.remove(place.address, 0);
        }
    }

    @GuardedBy("this")
    private int unwantedOf(InetAddress address) {
        return unwanted.getOrDefault(address, 0);
    }

    /** Whether it is probably a node or switch of a fabric. */
    @GuardedBy("this")
    private boolean isExpected(Place<C> place) {
        return place.dialled || addresses.contains(place.address) && unwantedOf(place.address) <= limits.ofAddress;
    }

    /** The lower, the sooner a connection has to go; of equal ones the oldest goes. */
    @GuardedBy("this")
    private long rank(Place<C> place) {
        return (isExpected(place) ? 1L << 62 : 0) + ((long) Integer.MAX_VALUE - unwantedOf(place.address) << 2)
            + place.standing.ordinal();
    }

    /** Finds the one that has to go: another one, or the one that came last itself. */
    @GuardedBy("this")
    private void refuse(Place<C> fresh, Limit limit, String what, Predicate<Place<C>> of, List<Refused<C>> refused) {
        Place<C> first = fresh;
        long least = rank(fresh);
        for (Place<C> each : places.values()) {
            if (each != fresh && each.standing != Standing.WANTED && of.test(each)) {
                long rank = rank(each);
                if (rank < least || rank == least && first == fresh) {
                    least = rank;
                    first = each;
                }
            }
        }
        // its own end is reported later, and may be waited for
        ended(first.connection);
        refused.add(new Refused<>(first.connection, limit, "over the limit of " + what));
    }
}
