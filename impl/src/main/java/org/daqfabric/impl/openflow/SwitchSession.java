package org.daqfabric.impl.openflow;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.controller.RuleListener;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeRef;

/**
 * One connection of one switch, from its appearance in the inventory until it goes away or another takes its place.
 * The listener hears of it once it is open, and of its events in order. Thread-safe.
 */
final class SwitchSession {
    private final long datapathId;
    private final String peer;
    private final NodeRef node;
    private final RuleListener listener;
    private final Map<Integer, Boolean> ports = new TreeMap<>();
    private final Map<Rule.Key, Long> cookies = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private boolean open;
    private boolean closed;

    SwitchSession(final long datapathId, final String peer, final RuleListener listener) {
        this.datapathId = datapathId;
        this.peer = peer;
        this.listener = listener;
        node = Nodes.ref(datapathId);
    }

    long datapathId() {
        return datapathId;
    }

    /** The switch's end of the connection, by which a new connection is told from an old one. */
    String peer() {
        return peer;
    }

    NodeRef node() {
        return node;
    }

    /** The switch answers: the listener hears of it and of all its ports. */
    synchronized void open() {
        if (open || closed) {
            return;
        }
        open = true;
        listener.switchConnected(datapathId);
        ports.forEach((number, up) -> listener.portChanged(datapathId, number, up));
    }

    synchronized boolean isOpen() {
        return open && !closed;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    synchronized boolean isUp(final int number) {
        return ports.getOrDefault(number, false);
    }

    /** A port is there, or changed; told on if it says anything new. */
    synchronized void port(final int number, final boolean up) {
        final Boolean before = ports.put(number, up);
        if (open && !closed && (before == null || before != up)) {
            listener.portChanged(datapathId, number, up);
        }
    }

    /** A port is no more. */
    synchronized void portGone(final int number) {
        final Boolean before = ports.remove(number);
        if (open && !closed && Boolean.TRUE.equals(before)) {
            listener.portChanged(datapathId, number, false);
        }
    }

    /** The connection is no more; what still waits for it fails. */
    void close(final String why) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (open) {
                listener.switchDisconnected(datapathId);
            }
        }
        final var cause = new SwitchLostException(datapathId, why);
        lost.completeExceptionally(cause);
    }

    /** Makes the future fail when this connection goes away. */
    void whenLost(final CompletableFuture<?> future) {
        final var watch = lost.whenComplete((unused, cause) -> future.completeExceptionally(cause));
        future.whenComplete((unused, cause) -> watch.cancel(false));
    }

    /** The cookie of the rule that a message replaces or removes, if a read or an earlier message told it. */
    OptionalLong cookie(final Message message) {
        final Long cookie = switch (message) {
            case Message.PutRule put -> cookies.get(put.rule().key());
            case Message.DeleteRule delete -> cookies.get(delete.key());
            default -> null;
        };
        return cookie == null ? OptionalLong.empty() : OptionalLong.of(cookie);
    }

    /** The switch did what a message says. */
    void done(final Message message) {
        switch (message) {
            case Message.PutRule put -> cookies.put(put.rule().key(), put.rule().cookie());
            case Message.DeleteRule delete -> cookies.remove(delete.key());
            default -> {
                // groups have no cookie
            }
        }
    }

    /** The switch holds this. */
    void found(final Map<Rule.Key, Long> found) {
        cookies.keySet().retainAll(found.keySet());
        cookies.putAll(found);
    }
}
