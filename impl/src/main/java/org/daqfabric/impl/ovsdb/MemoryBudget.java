package org.daqfabric.impl.ovsdb;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.daqfabric.impl.peers.Limit;

/**
 * Bytes that peers make the controller hold: unfinished messages, messages waiting to be sent, their rows. Beyond the
 * limit the connection that holds the most is closed, so that no number of greedy peers displaces a modest one. A node
 * of a fabric may hold more than a peer that is in none.
 */
final class MemoryBudget {
    /** How many times more the bytes of a peer in no fabric count. */
    private static final int OUTSIDER_WEIGHT = 8;

    private final AtomicLong total = new AtomicLong();
    private final Set<JsonRpcConnection> connections;
    private final Predicate<JsonRpcConnection> isWanted;
    private final long limit;

    /**
     * Holds nothing yet.
     *
     * @param connections all open ones; the caller adds and removes them
     * @param isWanted whether a peer is a node of a fabric
     */
    MemoryBudget(Set<JsonRpcConnection> connections, Predicate<JsonRpcConnection> isWanted, long limit) {
        this.connections = connections;
        this.isWanted = isWanted;
        this.limit = limit;
    }

    /** Adds to the total what a connection has added to its own account before. */
    void add(long bytes) {
        if (total.addAndGet(bytes) > limit && bytes > 0) {
            connections.stream().filter(connection -> !connection.isClosed())
                .max(Comparator.comparingLong(this::weight))
                .ifPresent(largest -> largest.exceed(Limit.MEMORY, "holds " + largest.heldBytes()
                + " bytes, more than any other, and all"
                    + " connections together hold over " + limit));
        }
    }

    private long weight(JsonRpcConnection connection) {
        return isWanted.test(connection) ? connection.heldBytes() / OUTSIDER_WEIGHT : connection.heldBytes();
    }

    long total() {
        return total.get();
    }
}
