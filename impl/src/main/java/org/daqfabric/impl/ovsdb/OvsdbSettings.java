package org.daqfabric.impl.ovsdb;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.daqfabric.impl.peers.Places;

/**
 * How the driver reaches nodes, and what it lets them cost.
 *
 * @param listen where nodes connect to the controller without TLS; empty for nowhere
 * @param openFlowPort TCP port of the controller's OpenFlow listener without TLS; 0 for none
 * @param controllers targets for the bridges' Controller rows, such as {@code tcp:10.0.0.1:6653}; if empty they are
 *        derived from the node's own Manager rows that lead to controllers of ours, or from the connection where it
 *        has none
 * @param tls how to use TLS; empty for plain TCP only
 * @param members how many controllers the cluster has; 1 for a controller that is alone
 */
public record OvsdbSettings(Optional<InetSocketAddress> listen, int openFlowPort, Set<String> controllers,
        Optional<Tls> tls, Limits limits, Timing timing, int members) {
    /** TCP port of OVSDB managers. */
    public static final int OVSDB_PORT = 6640;
    /** TCP port of OpenFlow controllers. */
    public static final int OPENFLOW_PORT = 6653;

    public OvsdbSettings {
        SortedSet<String> sorted = new TreeSet<>(controllers);
        controllers = Collections.unmodifiableSortedSet(sorted);
        if (openFlowPort < 0 || openFlowPort > 65535) {
            throw new IllegalArgumentException("OpenFlow port " + openFlowPort + " is not in 0..65535");
        }
    }

    /** Of a controller that is alone. */
    public OvsdbSettings(Optional<InetSocketAddress> listen, int openFlowPort, Set<String> controllers,
            Optional<Tls> tls, Limits limits, Timing timing) {
        this(listen, openFlowPort, controllers, tls, limits, timing, 1);
    }

    /** Plain TCP and the usual limits and times. */
    public OvsdbSettings(Optional<InetSocketAddress> listen, int openFlowPort, Set<String> controllers) {
        this(listen, openFlowPort, controllers, Optional.empty(), Limits.USUAL, Timing.USUAL);
    }

    /**
     * How to use TLS. With it, the controller connects to nodes over TLS only.
     *
     * @param listen where nodes connect to the controller over TLS; empty for nowhere
     * @param openFlowPort TCP port of the controller's OpenFlow listener over TLS; 0 for none
     * @param certificateName the name that the certificate of a node must have, by its system-id
     */
    public record Tls(SSLContext context, Optional<InetSocketAddress> listen, int openFlowPort,
            UnaryOperator<String> certificateName) {
    }

    /**
     * What a peer may cost; one beyond a limit is disconnected.
     *
     * @param message bytes of a message
     * @param unidentifiedMessage bytes of a message before the peer has named its system-id
     * @param queued bytes waiting to be sent beyond which the peer counts as stuck
     * @param places connections at a time
     * @param memory bytes that all peers together make the controller hold; beyond it the connection that holds the
     *        most is closed
     */
    public record Limits(int message, int unidentifiedMessage, int queued, Places.Limits places, long memory) {
        /** Room for thousands of ports in a node, or for a thousand nodes of usual size. */
        public static final Limits USUAL = new Limits(8 << 20, 64 << 10, 4 << 20,
            new Places.Limits(4096, 512, 4096, 1024), 64 << 20);
    }

    /**
     * When to give up on a peer, and when to try again.
     *
     * @param probe silence after which a peer is sent an echo, again after each further such time; it counts as dead
     *        after four of them without a whole message, or without reading what is sent to it
     * @param identify within which a peer must name its system-id
     * @param answer within which a request must be answered; also how long to wait for the node's own report of a
     *        transaction that it answered
     * @param duplicate within which a connection must answer an echo when another one comes with its system-id
     * @param apply within which vswitchd should apply a change
     * @param orphans how long no request must have concerned a node before bridges of its fabrics that no request
     *        mentioned are deleted
     * @param retry pause before a refused transaction is sent again; doubles up to {@code retryMost}
     * @param dial pause before connecting again; doubles up to {@code dialMost}
     */
    public record Timing(Duration probe, Duration identify, Duration answer, Duration duplicate, Duration apply,
            Duration orphans, Duration retry, Duration retryMost, Duration dial, Duration dialMost) {
        /** Echo after 5 s, dead after 20 s. */
        public static final Timing USUAL = new Timing(Duration.ofSeconds(5), Duration.ofSeconds(10),
            Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(5),
            Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMillis(250), Duration.ofSeconds(8));
    }
}
