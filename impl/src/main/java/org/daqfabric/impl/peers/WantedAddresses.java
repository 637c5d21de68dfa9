package org.daqfabric.impl.peers;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.net.InetAddress;

/**
 * The addresses that nodes of fabrics have, or lately had: whoever connects from there, over OVSDB or OpenFlow, is
 * probably one of them. Thread-safe.
 */
public final class WantedAddresses {
    private static final int MAX = 8192;

    private final Cache<InetAddress, Boolean> known = CacheBuilder.newBuilder().maximumSize(MAX).build();

    /** A node of a fabric has it. */
    public void add(InetAddress address) {
        known.put(address, true);
    }

    /** Whether a node of a fabric has it, or lately had. */
    public boolean contains(InetAddress address) {
        return known.getIfPresent(address) != null;
    }
}
