package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import java.util.function.Consumer;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which connection to use when several peers name the same system-id. The newest one waits while the one in use
 * is probed with an echo. If that answers, the newcomer is a duplicate and is closed; if not, the newcomer takes over.
 * Lives in its node's mailbox.
 */
final class SessionArbiter {
    private static final Logger LOG = LoggerFactory.getLogger(SessionArbiter.class);

    private final DriverContext context;
    private final Node node;
    private final String systemId;
    private final Consumer<OvsdbSession> onUse;
    private OvsdbSession current;
    /** Names the same system-id as {@link #current} and waits for its answer. */
    private OvsdbSession candidate;
    private String duplicateAddress = "";

    /**
     * Has no connection yet.
     *
     * @param onUse called with the session whenever another one is to be used
     */
    SessionArbiter(DriverContext context, Node node, String systemId, Consumer<OvsdbSession> onUse) {
        this.context = context;
        this.node = node;
        this.systemId = systemId;
        this.onUse = onUse;
    }

    /** The session in use; null if the node is not connected. */
    @Nullable OvsdbSession current() {
        return current;
    }

    boolean isEmpty() {
        return current == null && candidate == null;
    }

    /** Address of the last peer that named this system-id while the node was connected; empty if there was none. */
    String duplicateAddress() {
        return duplicateAddress;
    }

    /** A peer has named this system-id. */
    void offer(OvsdbSession fresh) {
        if (fresh.connection().isClosed()) {
            return;
        }
        if (current == null) {
            use(fresh);
            return;
        }
        if (candidate != null) {
            candidate.connection().close("a newer connection with its system-id came");
        }
        candidate = fresh;
        OvsdbSession probed = current;
        probed.connection().call("echo", new JsonArray())
            .thenRun(() -> node.execute(() -> decide(probed, fresh, true)));
        context.later(context.settings().timing().duplicate(), () -> node.execute(() -> decide(probed, fresh, false)));
    }

    private void decide(OvsdbSession probed, OvsdbSession fresh, boolean answered) {
        if (candidate != fresh || current != probed) {
            return;
        }
        if (!answered) {
            // the candidate is used once this one has ended
            probed.connection().close("silent, and the node has connected anew");
            return;
        }
        candidate = null;
        duplicateAddress = fresh.connection().remote().getAddress().getHostAddress();
        if (context.shouldLog(fresh.connection().remote(), "duplicate " + systemId)) {
            if (fresh.identity().systemUuid().equals(probed.identity().systemUuid())) {
                LOG.warn("Node {} connected from {} besides its connection from {}: one is enough. If it has several"
                    + " managers that lead to this controller leave one; if its database is a copy of another node's,"
                    + " make a new one", systemId, fresh.connection().remote(), probed.connection().remote());
            } else {
                LOG.warn("The node at {} says it is {}, but that is the node at {}: give each node a system-id of its"
                    + " own with ovs-vsctl set Open_vSwitch . external_ids:system-id=NAME",
                    fresh.connection().remote(), systemId, probed.connection().remote());
            }
        }
        fresh.connection().close("its system-id is in use by another connection");
    }

    /** A connection has ended; true if it was the one in use. Call {@link #useCandidate()} then. */
    boolean ended(OvsdbSession old) {
        if (old == candidate) {
            candidate = null;
        }
        if (old != current) {
            return false;
        }
        current = null;
        return true;
    }

    /** Uses the connection that waits, if there is one. */
    void useCandidate() {
        OvsdbSession next = candidate;
        candidate = null;
        if (next != null && !next.connection().isClosed()) {
            use(next);
        }
    }

    private void use(OvsdbSession fresh) {
        current = fresh;
        duplicateAddress = "";
        onUse.accept(fresh);
    }
}
