package org.daqfabric.impl.ovsdb;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;

/** The peers that were refused lately, by address, and why. */
final class RefusedPeers {
    private static final Duration KEPT = Duration.ofMinutes(10);
    private static final int MAX_PEERS = 100;
    /** Characters of a reason; a peer can make up some of them. */
    private static final int MAX_REASON = 300;

    private final Cache<String, String> reasons =
        CacheBuilder.newBuilder().maximumSize(MAX_PEERS).expireAfterWrite(KEPT).build();

    void add(InetSocketAddress peer, String reason) {
        reasons.put(key(peer), reason.substring(0, Math.min(reason.length(), MAX_REASON)));
    }

    /** A peer at that address was accepted after all. */
    void remove(InetSocketAddress peer) {
        reasons.invalidate(key(peer));
    }

    SortedMap<String, String> reasons() {
        return new TreeMap<>(reasons.asMap());
    }

    private static String key(InetSocketAddress peer) {
        return peer.getAddress().getHostAddress();
    }
}
