package org.daqfabric.impl.ovsdb;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.Socket;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.ovsdb.OvsdbSession.Identity;
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

    private final Set<JsonRpcConnection> connections = ConcurrentHashMap.newKeySet();
    /** Connections of peers that have not named their system-id, oldest first. */
    @GuardedBy("this")
    private final LinkedHashSet<JsonRpcConnection> unidentified = new LinkedHashSet<>();
    private final RefusedPeers refused = new RefusedPeers();
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

    PeerConnections(DriverContext context, Nodes nodes) {
        this.context = context;
        this.nodes = nodes;
        settings = context.settings();
        memory = new MemoryBudget(connections, settings.limits().memory());
    }

    /** Bytes that all peers together make the controller hold. */
    long heldBytes() {
        return memory.total();
    }

    /** Peers that were refused lately, by address, with the reason. */
    SortedMap<String, String> refused() {
        return refused.reasons();
    }

    /**
     * Takes over a socket.
     *
     * @param dialler who connected; empty if the peer did
     */
    void open(Socket socket, Transport transport, Optional<Dialler> dialler) {
        try {
            if (context.isStopping() || connections.size() >= settings.limits().connections()) {
                socket.close();
                if (!context.isStopping() && context.shouldLog("full")) {
                    LOG.warn("{} OVSDB connections at a time are the limit: {} was not let in", connections.size(),
                        socket.getRemoteSocketAddress());
                }
                return;
            }
            JsonRpcConnection connection = new JsonRpcConnection(socket, transport, dialler.isPresent(), settings,
                memory, new ReadThrottle(throttleSlots), context.threads());
            final OvsdbSession session = new OvsdbSession(connection, dialler.isPresent());
            connections.add(connection);
            addUnidentified(connection);
            dialler.ifPresent(from -> from.opened(connection));
            connection.start(reason -> ended(session, dialler, reason));
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

    private static void discard(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("Closing a socket", e);
        }
    }

    /** Makes room by closing the oldest: a node names itself soon after it has connected. */
    private void addUnidentified(JsonRpcConnection connection) {
        JsonRpcConnection oldest = null;
        synchronized (this) {
            if (unidentified.size() >= settings.limits().unidentified()) {
                oldest = unidentified.iterator().next();
                unidentified.remove(oldest);
            }
            unidentified.add(connection);
        }
        if (oldest != null) {
            oldest.close("too many connections that do not name their system-id");
        }
    }

    private boolean removeUnidentified(JsonRpcConnection connection) {
        synchronized (this) {
            return unidentified.remove(connection);
        }
    }

    private void identified(OvsdbSession session, Identity identity, Optional<Dialler> dialler) {
        JsonRpcConnection connection = session.connection();
        String systemId = identity.systemId();
        if (systemId.isEmpty()) {
            if (context.shouldLog("nameless " + connection.remote().getAddress())) {
                LOG.warn("The node at {} has no system-id: set it with ovs-vsctl set Open_vSwitch ."
                    + " external_ids:system-id=NAME", connection.remote());
            }
            connection.close("it has no system-id: set it with ovs-vsctl set Open_vSwitch ."
                + " external_ids:system-id=NAME");
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
            if (context.shouldLog("certificate " + systemId + " " + connection.remote().getAddress())) {
                LOG.warn("The node at {} says it is {}, but {}", connection.remote(), systemId, foreign);
            }
            connection.close(foreign);
            return;
        }
        dialler.ifPresent(Dialler::reachedNode);
        removeUnidentified(connection);
        refused.remove(connection.remote());
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
        boolean neverIdentified = removeUnidentified(connection);
        Identity identity = session.identity();
        if (identity != null && !identity.systemId().isEmpty() && !neverIdentified) {
            nodes.ended(identity.systemId(), session, reason);
        } else if (!context.isStopping()
                && context.shouldLog("stranger " + connection.remote().getAddress() + " " + prefix(reason))) {
            LOG.info("Connection with {}, which has not identified itself as a node, ended: {}", connection.remote(),
                reason);
        }
        if (neverIdentified && dialler.isEmpty()) {
            refused.add(connection.remote(), reason);
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

    /** Probes all connections and closes those whose time is over; called periodically. */
    @SuppressWarnings("checkstyle:illegalCatch") // a fault of one connection must not stop the others
    void tick() {
        long now = System.nanoTime();
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
        connections.forEach(connection -> connection.close(reason));
    }
}
