package org.daqfabric.impl.ovsdb;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;

/** The peers that were not let in lately, by address, and why. */
final class RefusedPeers {
    private static final Duration LATELY = Duration.ofMinutes(10);
    private static final int REMEMBERED = 100;
    /** Characters of a reason, some of which a peer can make up. */
    private static final int LONGEST = 300;

    private final Cache<String, String> reasons =
        CacheBuilder.newBuilder().maximumSize(REMEMBERED).expireAfterWrite(LATELY).build();

    void add(InetSocketAddress peer, String reason) {
        reasons.put(key(peer), reason.substring(0, Math.min(reason.length(), LONGEST)));
    }

    /** Somebody at that address was let in after all. */
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
