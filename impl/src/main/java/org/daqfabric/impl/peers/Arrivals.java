package org.daqfabric.impl.peers;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.time.Duration;

/** How often an address that is not wanted may connect. Thread-safe. */
public final class Arrivals {
    /** At once; many switches may share an address behind NAT. */
    static final int BURST = 1024;
    static final int PER_SECOND = 16;
    private static final int MAX_ADDRESSES = 8192;
    /** After that every allowance is whole again. */
    private static final Duration KEPT = Duration.ofSeconds(BURST / PER_SECOND + 1);

    @GuardedBy("this")
    private final Cache<InetAddress, Allowance> allowances =
        CacheBuilder.newBuilder().maximumSize(MAX_ADDRESSES).expireAfterAccess(KEPT).build();
    private final WantedAddresses wanted;

    public Arrivals(WantedAddresses wanted) {
        this.wanted = wanted;
    }

    /** Whether somebody may connect from there now; if so it counts. */
    public boolean admits(InetAddress address, long now) {
        if (wanted.contains(address)) {
            return true;
        }
        synchronized (this) {
            Allowance known = allowances.getIfPresent(address);
            Allowance allowance = known == null ? new Allowance(BURST, PER_SECOND, now) : known;
            if (known == null) {
                allowances.put(address, allowance);
            }
            return allowance.take(now);
        }
    }
}
