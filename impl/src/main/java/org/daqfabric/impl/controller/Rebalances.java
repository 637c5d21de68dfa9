package org.daqfabric.impl.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Requests for a placement in which any DCM may move if that improves it. They are answered when it is stored: a
 * controller that is killed after its answer goes on from there.
 */
final class Rebalances {
    private final List<CompletableFuture<Integer>> open = new ArrayList<>();
    private OptionalInt limit = OptionalInt.empty();

    /**
     * Adds a request.
     *
     * @param most number of DCMs that may move; empty for no limit
     * @param moved completed with the number that move
     */
    void add(OptionalInt most, CompletableFuture<Integer> moved) {
        open.add(moved);
        limit = most;
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** How many DCMs may move; empty for no limit, or if nobody asks. */
    OptionalInt limit() {
        return open.isEmpty() ? OptionalInt.empty() : limit;
    }

    /**
     * A placement is decided.
     *
     * @return to be told whether it is stored and in force; if it is not, the requests are for the next one
     */
    Consumer<Boolean> decided(int moved) {
        List<CompletableFuture<Integer>> asked = List.copyOf(open);
        open.clear();
        return stored -> {
            if (stored) {
                asked.forEach(request -> request.complete(moved));
            } else {
                open.addAll(asked);
            }
        };
    }
}
