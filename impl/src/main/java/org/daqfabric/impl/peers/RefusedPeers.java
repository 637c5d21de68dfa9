package org.daqfabric.impl.peers;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.net.InetAddress;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;

/** The peers that were refused lately, by address, and why. */
final class RefusedPeers {
    private static final Duration KEPT = Duration.ofMinutes(10);
    /** Those after them are not told: where so many are refused the list would never stand still. */
    private static final int MAX_PEERS = 100;
    /** Characters of a reason; a peer can make up some of them. */
    private static final int MAX_REASON = 300;

    private final Cache<String, String> reasons = CacheBuilder.newBuilder().expireAfterWrite(KEPT).build();

    void add(InetAddress peer, String reason) {
        String address = peer.getHostAddress();
        reasons.cleanUp();
        synchronized (this) {
            if (reasons.size() < MAX_PEERS || reasons.getIfPresent(address) != null) {
                reasons.put(address, reason.substring(0, Math.min(reason.length(), MAX_REASON)));
            }
        }
    }

    /** A peer at that address was accepted after all. */
    void remove(InetAddress peer) {
        reasons.invalidate(peer.getHostAddress());
    }

    SortedMap<String, String> reasons() {
        return new TreeMap<>(reasons.asMap());
    }
}
