package org.daqfabric.impl.peers;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.time.Duration;

/**
 * The credit of every address that no node of a fabric has, for all ports of switches together. What is done for peers
 * of other addresses is not limited. Thread-safe.
 */
public final class AddressCredits {
    /** Nanoseconds that one message is taken to cost, until it is known. */
    static final long MESSAGE = 100_000;
    /** How long to wait at a time: an address may become wanted meanwhile. */
    public static final Duration STEP = Duration.ofSeconds(1);
    /** All together have this part of one processor, and each the same part of that. */
    static final int PART = 32;
    private static final int MAX_ADDRESSES = 8192;
    /** What an address owes that nobody came from for so long is forgiven. */
    private static final Duration KEPT = Duration.ofMinutes(1);

    @GuardedBy("this")
    private final Cache<InetAddress, AddressCredit> credits =
        CacheBuilder.newBuilder().maximumSize(MAX_ADDRESSES).expireAfterAccess(KEPT).build();
    private final WantedAddresses wanted;

    /** No address has used anything. */
    public AddressCredits(WantedAddresses wanted) {
        this.wanted = wanted;
    }

    /** Whether peers of an address have to wait for their turn if they are many. */
    public boolean limits(InetAddress address) {
        return !wanted.contains(address);
    }

    /**
     * A peer has something to be read: takes its place among those of its address.
     *
     * @param now nanoseconds since any time
     * @return nanoseconds until its turn
     */
    public synchronized long turn(InetAddress address, long now) {
        if (!limits(address)) {
            return 0;
        }
        AddressCredit credit = at(address, now);
        credits.put(address, credit.used(MESSAGE));
        return credit.pause(part());
    }

    /** A peer had its turn, which took so many nanoseconds. */
    public void worked(InetAddress address, long nanos, long now) {
        use(address, nanos - MESSAGE, now);
    }

    /** A peer does not need its turn any more. */
    public void left(InetAddress address, long now) {
        use(address, -MESSAGE, now);
    }

    private synchronized void use(InetAddress address, long nanos, long now) {
        if (limits(address)) {
            credits.put(address, at(address, now).used(nanos));
        }
    }

    @GuardedBy("this")
    private AddressCredit at(InetAddress address, long now) {
        AddressCredit known = credits.getIfPresent(address);
        return known == null ? AddressCredit.whole(now) : known.refilled(now, part());
    }

    @GuardedBy("this")
    private int part() {
        return PART * (int) Math.max(1, credits.size());
    }
}
