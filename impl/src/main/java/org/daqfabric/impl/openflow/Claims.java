package org.daqfabric.impl.openflow;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Claim;
import org.daqfabric.impl.peers.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The peers that claimed a switch's datapath-id lately, and were turned away. */
final class Claims {
    private static final Logger LOG = LoggerFactory.getLogger(Claims.class);
    private static final Duration KEPT = Duration.ofSeconds(30);
    private static final int MAX = 100;

    private record Key(long datapathId, String address) {
    }

    private final Cache<Key, Claim> newest = CacheBuilder.newBuilder().maximumSize(MAX).expireAfterWrite(KEPT).build();
    private final PeerLog log = new PeerLog();

    /**
     * A peer was turned away.
     *
     * @param keeper the address that has the datapath-id; empty if none has it
     */
    void add(final long datapathId, final String address, final String keeper, final String why) {
        final var key = new Key(datapathId, address);
        newest.put(key, new Claim(datapathId, address, keeper, why));
        if (log.isLogged(address, Long.toString(datapathId))) {
            LOG.warn("A peer at {} claimed datapath-id {}{} and was turned away: {}. Find out which machine it is",
                address, "%016x".formatted(datapathId), keeper.isEmpty() ? "" : ", which the switch at " + keeper
                    + " has,", why);
        }
    }

    /** Ordered by datapath-id and address. */
    List<Claim> now() {
        final var claims = new ArrayList<Claim>();
        // its size counts those that have expired, which a stream does not forgive
        newest.asMap().forEach((key, claim) -> claims.add(claim));
        claims.sort(Comparator.comparingLong(Claim::datapathId).thenComparing(Claim::address));
        return claims;
    }
}
