package org.daqfabric.impl.ovsdb;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that peers make us hold: unfinished messages, what waits to be sent, their rows. Beyond the limit the peer that
 * holds the most goes, so that no number of greedy peers takes the place of a modest one; a large node of a fabric counts
 * for less than a peer that nobody asked for.
 */
final class MemoryBudget {
    /** How much more a peer of no fabric counts. */
    private static final int FAVOUR = 8;

    private final AtomicLong total = new AtomicLong();
    private final Set<JsonRpcConnection> connections;
    private final long limit;

    /**
     * Counts.
     *
     * @param connections those that hold something, kept by others
     */
    MemoryBudget(Set<JsonRpcConnection> connections, long limit) {
        this.connections = connections;
        this.limit = limit;
    }

    /** Counts a change of what a connection holds, which has added it to its own account before. */
    void add(long bytes) {
        if (total.addAndGet(bytes) > limit && bytes > 0) {
            connections.stream().filter(connection -> !connection.isClosed())
                .max(Comparator.comparingLong(MemoryBudget::weight))
                .ifPresent(largest -> largest.close("holds " + largest.held() + " bytes, more than any other, and all"
                    + " connections together hold over " + limit));
        }
    }

    private static long weight(JsonRpcConnection connection) {
        return connection.isWanted() ? connection.held() / FAVOUR : connection.held();
    }

    long total() {
        return total.get();
    }
}
