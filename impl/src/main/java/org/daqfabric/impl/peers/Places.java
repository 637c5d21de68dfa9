package org.daqfabric.impl.peers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which connections are kept where there are more than places. Wanted peers keep theirs. Of the others those go first
 * that come from no wanted address, or from one that has many; of these the ones from the address that has the most; of
 * these the strangers; and of these the oldest, since an honest peer says soon who it is. So nobody who has one
 * address, or a few, keeps others out, known or not, and be it a node's address. Who has to go is found by addresses,
 * as attackers have many connections of few. Thread-safe.
 *
 * @param <C> a connection
 */
public final class Places<C> {
    /** A wanted address is preferred up to this part of what another may have. */
    private static final int PREFERRED_PART = 32;

    @GuardedBy("this")
    private final Map<C, Place<C>> places = new HashMap<>();
    /** Connections that are not wanted. */
    @GuardedBy("this")
    private final Map<InetAddress, OfAddress<C>> unwanted = new HashMap<>();
    @GuardedBy("this")
    private long last;
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
     * @param ofAddress of one address, not counting wanted peers; wanted addresses have no such limit, but are
     *        preferred only up to a part of it: a node that an attacker has taken over is none of the few
     */
    public record Limits(int all, int strangers, int unwanted, int ofAddress) {
        /** How many connections of a wanted address that are not wanted themselves are preferred. */
        int preferred() {
            return Math.max(1, ofAddress / PREFERRED_PART);
        }
    }

    /** A connection to be closed. */
    public record Refused<C>(C connection, Limit limit, String why) {
    }

    private enum Standing { STRANGER, NAMED, WANTED }

    /** Whose connections may have to go. */
    private static final Set<Standing> UNWANTED = Set.of(Standing.STRANGER, Standing.NAMED);

    /** The connections of an address that are not wanted, in the order in which they came. */
    private static final class OfAddress<C> {
        private final Map<Standing, SortedMap<Long, Place<C>>> made = new EnumMap<>(Standing.class);
        private final Map<Standing, SortedMap<Long, Place<C>>> dialled = new EnumMap<>(Standing.class);
        private int size;

        private SortedMap<Long, Place<C>> of(boolean isDialled, Standing standing) {
            return (isDialled ? dialled : made).computeIfAbsent(standing, key -> new TreeMap<>());
        }

        void add(Place<C> place) {
            of(place.dialled, place.standing).put(place.number, place);
            size++;
        }

        void remove(Place<C> place) {
            of(place.dialled, place.standing).remove(place.number);
            size--;
        }

        /** The oldest of each kind that is not this one. */
        List<Place<C>> oldest(Set<Standing> standings, Place<C> but) {
            List<Place<C>> oldest = new ArrayList<>();
            for (boolean isDialled : new boolean[] {false, true}) {
                for (Standing standing : standings) {
                    of(isDialled, standing).values().stream().filter(each -> each != but).findFirst()
                        .ifPresent(oldest::add);
                }
            }
            return oldest;
        }
    }

    private static final class Place<C> {
        /** The later, the higher. */
        private final long number;
        private final C connection;
        private final InetAddress address;
        /** Whether the controller connected, instead of the peer. */
        private final boolean dialled;
        private Standing standing = Standing.STRANGER;

        Place(long number, C connection, InetAddress address, boolean dialled) {
            this.number = number;
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
        Place<C> fresh = new Place<>(++last, connection, address, dialled);
        places.put(connection, fresh);
        count(fresh, 1);
        List<Refused<C>> refused = new ArrayList<>();
        if (!dialled && !addresses.contains(address) && unwantedOf(address) > limits.ofAddress) {
            refuse(fresh, Limit.ADDRESS, limits.ofAddress + " connections of an address that no node of a fabric has",
                List.of(unwanted.get(address)), UNWANTED, refused);
        }
        if (strangers > limits.strangers) {
            refuse(fresh, Limit.STRANGERS, limits.strangers + " connections that do not say who they are",
                unwanted.values(), Set.of(Standing.STRANGER), refused);
        }
        if (places.size() > limits.all) {
            refuse(fresh, Limit.CONNECTIONS, limits.all + " connections at a time", unwanted.values(), UNWANTED,
                refused);
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
                    unwanted.values(), Set.of(Standing.NAMED), refused);
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
        if (place.standing == Standing.WANTED) {
            return;
        }
        OfAddress<C> all = unwanted.computeIfAbsent(place.address, key -> new OfAddress<>());
        if (by > 0) {
            all.add(place);
        } else {
            all.remove(place);
            if (all.size == 0) {
                unwanted.remove(place.address);
            }
        }
    }

    @GuardedBy("this")
    private int unwantedOf(InetAddress address) {
        OfAddress<C> all = unwanted.get(address);
        return all == null ? 0 : all.size;
    }

    /** Whether it is probably a node or switch of a fabric. */
    @GuardedBy("this")
    private boolean isExpected(Place<C> place) {
        return place.dialled || addresses.contains(place.address) && unwantedOf(place.address) <= limits.preferred();
    }

    /** The lower, the sooner a connection has to go; of equal ones the oldest goes. */
    @GuardedBy("this")
    private long rank(Place<C> place) {
        return (isExpected(place) ? 1L << 62 : 0) + ((long) Integer.MAX_VALUE - unwantedOf(place.address) << 2)
            + place.standing.ordinal();
    }

    /** Finds the one that has to go: another one, or the one that came last itself. */
    @GuardedBy("this")
    private void refuse(Place<C> fresh, Limit limit, String what, Collection<OfAddress<C>> of, Set<Standing> standings,
            List<Refused<C>> refused) {
        Place<C> first = fresh;
        long least = rank(fresh);
        for (OfAddress<C> all : of) {
            for (Place<C> each : all.oldest(standings, fresh)) {
                long rank = rank(each);
                if (rank < least || rank == least && (first == fresh || each.number < first.number)) {
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
