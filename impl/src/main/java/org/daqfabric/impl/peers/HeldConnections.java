package org.daqfabric.impl.peers;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Connections that were refused as their address connects too often. They are kept open for a while, and nothing is
 * read of them: a peer that is disconnected at once connects again at once. Thread-safe.
 *
 * @param <C> a connection
 */
public final class HeldConnections<C> {
    /** Connections in all; beyond that they are ended at once. */
    static final int ALL = 2048;
    /** Connections of one address. */
    static final int OF_ADDRESS = 1024;
    /** How long each is kept. */
    static final Duration TIME = Duration.ofSeconds(5);
    /** Bytes that the system keeps of what a peer has sent; it takes its least instead. */
    public static final int RECEIVE_BUFFER = 1;

    /** In the order in which they came. */
    @GuardedBy("this")
    private final Map<C, Held> held = new LinkedHashMap<>();
    @GuardedBy("this")
    private final Multiset<InetAddress> addresses = HashMultiset.create();
    private final WantedAddresses wanted;

    private record Held(InetAddress address, boolean ofNode, long since) {
    }

    /** Holds nothing yet. */
    public HeldConnections(WantedAddresses wanted) {
        this.wanted = wanted;
    }

    /**
     * Keeps a connection.
     *
     * @param now nanoseconds since any time
     * @return whether there is room; otherwise it is to be ended now
     */
    public synchronized boolean hold(C connection, InetAddress address, long now) {
        if (held.size() >= ALL || addresses.count(address) >= OF_ADDRESS) {
            return false;
        }
        held.put(connection, new Held(address, wanted.contains(address), now));
        addresses.add(address);
        return true;
    }

    /** Those whose time is over, or whose address has become that of a node since: they are to be ended now. */
    public synchronized List<C> over(long now) {
        List<C> over = new ArrayList<>();
        for (Iterator<Map.Entry<C, Held>> all = held.entrySet().iterator(); all.hasNext();) {
            Map.Entry<C, Held> each = all.next();
            Held of = each.getValue();
            if (now - of.since >= TIME.toNanos() || !of.ofNode && wanted.contains(of.address)) {
                over.add(each.getKey());
                all.remove();
                addresses.remove(of.address);
            }
        }
        return over;
    }

    /** All of them, which are to be ended now. */
    public synchronized List<C> release() {
        List<C> all = List.copyOf(held.keySet());
        held.clear();
        addresses.clear();
        return all;
    }
}
