package org.daqfabric.impl.ovsdb;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.ovsdb.OvsdbSession.Identity;
import org.daqfabric.impl.peers.AddressCredits;
import org.daqfabric.impl.peers.Arrivals;
import org.daqfabric.impl.peers.HeldConnections;
import org.daqfabric.impl.peers.Limit;
import org.daqfabric.impl.peers.Places.Refused;
import org.daqfabric.impl.peers.Refusals;
import org.daqfabric.impl.peers.WantedAddresses;
import org.daqfabric.impl.text.ForeignText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All open connections of a driver. Asks every peer for its system-id, enforces the limits until it has named one, and
 * hands its session to the node of that name then.
 */
final class PeerConnections {
    private static final Logger LOG = LoggerFactory.getLogger(PeerConnections.class);
    /** Characters at the beginning of a reason by which two reasons count as the same. */
    private static final int REASON_PREFIX = 24;
    /** Characters of a system-id. */
    private static final int LONGEST_NAME = 255;

    private final Set<JsonRpcConnection> connections = ConcurrentHashMap.newKeySet();
    private final Refusals refusals = new Refusals("OVSDB");
    private final Arrivals arrivals;
    private final HeldConnections<Socket> turnedAway;
    private final AddressCredits credits;
    private final Semaphore throttleSlots = ReadThrottle.sharedSlots();
    private final MemoryBudget memory;
    private final DriverContext context;
    private final OvsdbSettings settings;
    private final Nodes nodes;

    /** The nodes, as connections see them. */
    interface Nodes {
        /** A peer has named a system-id. */
        void identified(String systemId, OvsdbSession session);

        /** A connection whose peer had named a system-id has ended. */
        void ended(String systemId, OvsdbSession session, String reason);
    }

    PeerConnections(DriverContext context, WantedAddresses addresses, AddressCredits credits, Nodes nodes) {
        this.context = context;
        this.credits = credits;
        arrivals = new Arrivals(addresses);
        turnedAway = new HeldConnections<>(addresses);
        this.nodes = nodes;
        settings = context.settings();
        memory = new MemoryBudget(connections, context.places()::isWanted, settings.limits().memory());
    }

    /** Bytes that all peers together make the controller hold. */
    long heldBytes() {
        return memory.total();
    }

    /** What was refused. */
    Refusals refusals() {
        return refusals;
    }

    /**
     * Takes over a socket.
     *
     * @param dialler who connected; empty if the peer did
     */
    void open(Socket socket, Transport transport, Optional<Dialler> dialler) {
        try {
            if (context.isStopping()) {
                socket.close();
                return;
            }
            if (dialler.isEmpty() && !admits(socket.getInetAddress())) {
                turnAway(socket);
                return;
            }
            JsonRpcConnection connection = new JsonRpcConnection(socket, transport, dialler.isPresent(), settings,
                memory, new ReadThrottle(throttleSlots, credits, socket.getInetAddress()), context.threads());
            final OvsdbSession session = new OvsdbSession(connection, dialler.isPresent());
            connections.add(connection);
            final List<Refused<JsonRpcConnection>> refused =
                context.places().arrived(connection, socket.getInetAddress(), dialler.isPresent());
            dialler.ifPresent(from -> from.opened(connection));
            connection.start(reason -> ended(session, dialler, reason));
            refuse(refused);
            if (context.isStopping()) {
                connection.close("the controller stops");
            }
            session.identify().whenComplete((identity, failure) -> {
                if (failure == null) {
                    identified(session, identity, dialler);
                } else {
                    connection.close("did not say who it is: " + Causes.of(failure).getMessage());
                }
            });
        } catch (IOException e) {
            LOG.debug("A connection ended at once", e);
            discard(socket);
            dialler.ifPresent(from -> from.node().dialFailed(from, "connection to " + from + " ended at once"));
        }
    }

    /** Whether a peer may connect from there now. */
    private boolean admits(InetAddress address) {
        boolean admitted = arrivals.admits(address, System.nanoTime());
        if (!admitted) {
            refusals.add(address, Limit.ARRIVALS, "it connects too often");
        }
        return admitted;
    }

    private void turnAway(Socket socket) throws IOException {
        socket.setReceiveBufferSize(HeldConnections.RECEIVE_BUFFER);
        if (!turnedAway.hold(socket, socket.getInetAddress(), System.nanoTime())) {
            discard(socket);
        }
    }

    private static void discard(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("Closing a socket", e);
        }
    }

    private void refuse(List<Refused<JsonRpcConnection>> all) {
        all.forEach(each -> each.connection().exceed(each.limit(), each.why()));
    }

    private void identified(OvsdbSession session, Identity identity, Optional<Dialler> dialler) {
        JsonRpcConnection connection = session.connection();
        String systemId = identity.systemId();
        if (systemId.isEmpty()) {
            if (context.shouldLog(connection.remote(), "nameless")) {
                LOG.warn("The node at {} has no system-id: set it with ovs-vsctl set Open_vSwitch ."
                    + " external_ids:system-id=NAME", connection.remote());
            }
            connection.close("it has no system-id: set it with ovs-vsctl set Open_vSwitch ."
                + " external_ids:system-id=NAME");
            return;
        }
        if (systemId.length() > LONGEST_NAME) {
            connection.exceed(Limit.MESSAGE, "its system-id has " + systemId.length() + " characters: give it one of "
                + LONGEST_NAME + " at most");
            return;
        }
        if (ForeignText.isMaimed(systemId)) {
            connection.close("its system-id " + systemId + " has characters that cannot be shown: give it a name of"
                + " letters, digits and signs (ovs-vsctl set Open_vSwitch . external_ids:system-id=NAME)");
            return;
        }
        if (dialler.isPresent() && !dialler.get().node().isNamed(systemId)) {
            connection.close("it has the system-id " + systemId + ": correct the system-id or the address");
            return;
        }
        String foreign = foreignCertificate(connection, systemId);
        if (!foreign.isEmpty()) {
            if (context.shouldLog(connection.remote(), "certificate " + systemId)) {
                LOG.warn("The node at {} says it is {}, but {}", connection.remote(), systemId, foreign);
            }
            connection.close(foreign);
            return;
        }
        dialler.ifPresent(Dialler::reachedNode);
        refuse(context.places().named(connection));
        refusals.accepted(connection.remote().getAddress());
        nodes.identified(systemId, session);
    }

    /** Why a node's certificate is not one for its system-id; empty if it is, or without TLS. */
    private String foreignCertificate(JsonRpcConnection connection, String systemId) {
        if (!connection.isSecured() || settings.tls().isEmpty()) {
            return "";
        }
        String wanted = settings.tls().get().certificateName().apply(systemId);
        try {
            SortedSet<String> names = connection.certified();
            return names.contains(wanted) ? "" : "its certificate is for " + (names.isEmpty() ? "no name"
                : String.join(", ", names)) + ", not for " + wanted + ": give the node " + systemId + " one for that"
                + " name, or set certificate-name at its switches";
        } catch (SSLPeerUnverifiedException e) {
            return "its certificate cannot be read: " + e.getMessage();
        }
    }

    private void ended(OvsdbSession session, Optional<Dialler> dialler, String reason) {
        JsonRpcConnection connection = session.connection();
        connections.remove(connection);
        connection.release();
        Identity identity = session.identity();
        boolean neverIdentified = context.places().ended(connection) || identity == null;
        if (identity != null && !identity.systemId().isEmpty() && !neverIdentified) {
            nodes.ended(identity.systemId(), session, reason);
        } else if (!context.isStopping() && connection.exceeded().isEmpty()
                && context.shouldLog(connection.remote(), prefix(reason))) {
            LOG.info("Connection with {}, which has not identified itself as a node, ended: {}", connection.remote(),
                reason);
        }
        if (connection.exceeded().isPresent()) {
            refusals.add(connection.remote().getAddress(), connection.exceeded().get(), reason);
        } else if (neverIdentified && dialler.isEmpty()) {
            refusals.add(connection.remote().getAddress(), reason);
        }
        if (neverIdentified) {
            dialler.ifPresent(from -> from.node().dialFailed(from,
                "the peer at " + from + " is not this node: " + reason));
        }
    }

    /** The peer can make up the rest, and would fill the log with it. */
    private static String prefix(String reason) {
        return reason.substring(0, Math.min(reason.length(), REASON_PREFIX));
    }

    /** Probes all connections and ends those whose time is over, held ones, too; called periodically. */
    @SuppressWarnings("checkstyle:illegalCatch") // a fault of one connection must not stop the others
    void tick() {
        long now = System.nanoTime();
        turnedAway.over(now).forEach(PeerConnections::discard);
        for (JsonRpcConnection connection : connections) {
            try {
                connection.tick(now);
            } catch (RuntimeException e) {
                LOG.error("Connection with {} cannot be probed and is closed", connection.remote(), e);
                connection.close("it cannot be probed");
            }
        }
    }

    void closeAll(String reason) {
        turnedAway.release().forEach(PeerConnections::discard);
        connections.forEach(connection -> connection.close(reason));
    }
}
