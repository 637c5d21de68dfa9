package org.daqfabric.impl.ovsdb;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

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
    private final long limit;

    /**
     * Holds nothing yet.
     *
     * @param connections all open ones; the caller adds and removes them
     */
    MemoryBudget(Set<JsonRpcConnection> connections, long limit) {
        this.connections = connections;
        this.limit = limit;
    }

    /** Adds to the total what a connection has added to its own account before. */
    void add(long bytes) {
        if (total.addAndGet(bytes) > limit && bytes > 0) {
            connections.stream().filter(connection -> !connection.isClosed())
                .max(Comparator.comparingLong(MemoryBudget::weight))
                .ifPresent(largest -> largest.close("holds " + largest.heldBytes()
                + " bytes, more than any other, and all"
                    + " connections together hold over " + limit));
        }
    }

    private static long weight(JsonRpcConnection connection) {
        return connection.isInFabric() ? connection.heldBytes() / OUTSIDER_WEIGHT : connection.heldBytes();
    }

    long total() {
        return total.get();
    }
}
