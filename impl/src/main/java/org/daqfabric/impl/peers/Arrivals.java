package org.daqfabric.impl.peers;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.time.Duration;

/** How often an address may connect; one of nodes of fabrics more often than others. Thread-safe. */
public final class Arrivals {
    /** At once; many switches may share an address behind NAT. */
    static final int BURST = 1024;
    static final int PER_SECOND = 16;
    /** Of nodes of fabrics: all that share an address come back at once; one of them may have been taken over. */
    static final int BURST_OF_NODES = 4096;
    static final int PER_SECOND_OF_NODES = 64;
    private static final int MAX_ADDRESSES = 8192;
    /** After that every allowance is whole again. */
    private static final Duration KEPT =
        Duration.ofSeconds(Math.max(BURST / PER_SECOND, BURST_OF_NODES / PER_SECOND_OF_NODES) + 1);

    @GuardedBy("this")
    private final Cache<Source, Allowance> allowances =
        CacheBuilder.newBuilder().maximumSize(MAX_ADDRESSES).expireAfterAccess(KEPT).build();
    private final WantedAddresses wanted;

    /** An address, as one of strangers or of a node: what a stranger has used up is not missing when it is a node. */
    private record Source(InetAddress address, boolean ofNode) {
        private Allowance whole(long now) {
            return ofNode ? new Allowance(BURST_OF_NODES, PER_SECOND_OF_NODES, now)
                : new Allowance(BURST, PER_SECOND, now);
        }
    }

    public Arrivals(WantedAddresses wanted) {
        this.wanted = wanted;
    }

    /** Whether somebody may connect from there now; if so it counts. */
    public synchronized boolean admits(InetAddress address, long now) {
        Source source = new Source(address, wanted.contains(address));
        Allowance known = allowances.getIfPresent(source);
        Allowance allowance = known == null ? source.whole(now) : known;
        if (known == null) {
            allowances.put(source, allowance);
        }
        return allowance.take(now);
    }
}
