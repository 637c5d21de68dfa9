package org.daqfabric.impl.peers;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Which lines about peers in no fabric are logged: what they are called, and some of the reasons, are their own words,
 * and they could fill the log with lines that all differ. So an address has a few in ten minutes. Thread-safe.
 */
public final class PeerLog {
    /** In {@link #SILENCE}. */
    static final int LINES = 8;
    private static final Duration SILENCE = Duration.ofMinutes(10);
    private static final int MAX_ADDRESSES = 1000;

    @GuardedBy("this")
    private final Cache<String, Set<String>> logged =
        CacheBuilder.newBuilder().maximumSize(MAX_ADDRESSES).expireAfterWrite(SILENCE).build();

    /**
     * Whether to log a line about the peer at an address; if so it counts.
     *
     * @param line what tells the line from others; the same is not logged again for a while
     */
    public synchronized boolean isLogged(String address, String line) {
        @Nullable Set<String> lines = logged.getIfPresent(address);
        if (lines == null) {
            lines = new HashSet<>();
            logged.put(address, lines);
        }
        return lines.size() < LINES && lines.add(line);
    }
}
