package org.daqfabric.impl.peers;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.net.InetAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was refused to peers of one protocol: counted, kept for the doctor by address, and logged seldom, however many
 * they are. Thread-safe.
 */
public final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    /** How long a refusal for the same limit is not logged again. */
    private static final Duration SILENCE = Duration.ofMinutes(10);
    /** One whose answer is too long is accepted, asked and refused again and again, and is told all the time. */
    private static final Duration ASKED_AGAIN = Duration.ofMinutes(1);

    private final Map<Limit, LongAdder> counts = new EnumMap<>(Limit.class);
    private final RefusedPeers peers = new RefusedPeers();
    private final Cache<Limit, Boolean> logged = CacheBuilder.newBuilder().expireAfterWrite(SILENCE).build();
    private final Cache<InetAddress, Limit> unreadable;
    private final String protocol;

    /**
     * Nothing was refused yet.
     *
     * @param protocol its name, for the log
     */
    public Refusals(String protocol) {
        this(protocol, Ticker.systemTicker());
    }

    /** The same by a clock of the caller's. */
    Refusals(String protocol, Ticker clock) {
        this.protocol = protocol;
        unreadable = CacheBuilder.newBuilder().ticker(clock).expireAfterWrite(ASKED_AGAIN).build();
        for (Limit each : Limit.values()) {
            counts.put(each, new LongAdder());
        }
    }

    /** A peer exceeded a limit. */
    public void add(InetAddress peer, Limit limit, String why) {
        counts.get(limit).increment();
        add(peer, why);
        if (limit == Limit.ANSWER) {
            unreadable.put(peer, limit);
        }
        if (logged.asMap().putIfAbsent(limit, true) == null) {
            LOG.warn("{}: a peer at {} was refused: {}. Others that are refused for the same are counted for {}"
                + " minutes (daqfabric_peers_refused_total, limit {}), and the doctor names them", protocol,
                peer.getHostAddress(), why, SILENCE.toMinutes(), limit.label());
        }
    }

    /** A peer was refused for another reason than a limit, which is logged elsewhere. */
    public void add(InetAddress peer, String why) {
        peers.add(peer, why);
    }

    /** A peer at that address was accepted after all; one whose answer was too long, if it was not lately. */
    public void accepted(InetAddress peer) {
        if (unreadable.getIfPresent(peer) == null) {
            peers.remove(peer);
        }
    }

    /** Peers that were refused lately, by address, with the reason. */
    public SortedMap<String, String> reasons() {
        return peers.reasons();
    }

    /** How many were refused for each limit since the controller started. */
    public SortedMap<String, Long> counts() {
        SortedMap<String, Long> byLabel = new TreeMap<>();
        counts.forEach((limit, count) -> byLabel.put(limit.label(), count.sum()));
        return byLabel;
    }
}
