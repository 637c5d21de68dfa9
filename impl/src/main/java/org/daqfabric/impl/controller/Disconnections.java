package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.impl.controller.spi.Timer;

/** Waits for switches of removed fabrics to disconnect. Not thread-safe. */
final class Disconnections {
    /** How long to wait for the switches of a fabric. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Switches that are still connected; the key completes when they have disconnected. */
    private final Map<CompletableFuture<Void>, Set<Long>> leaving = new HashMap<>();
    private final Timer timer;

    Disconnections(Timer timer) {
        this.timer = timer;
    }

    /**
     * Completes when the switches of a removed fabric have disconnected, or after {@link #PATIENCE}. A new fabric of
     * that name would mistake the connection of a bridge that is being removed for that of its own bridge.
     *
     * @param datapathIds those that the switches of the fabric had
     * @param connected datapath-ids of all switches that are connected
     */
    CompletionStage<Void> of(Set<Long> datapathIds, Set<Long> connected) {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        Set<Long> left = new HashSet<>(datapathIds);
        left.retainAll(connected);
        if (left.isEmpty()) {
            gone.complete(null);
        } else {
            leaving.put(gone, left);
            timer.after(PATIENCE, () -> gone.complete(null));
        }
        return gone;
    }

    void disconnected(long datapathId) {
        leaving.forEach((gone, left) -> {
            left.remove(datapathId);
            if (left.isEmpty()) {
                gone.complete(null);
            }
        });
        leaving.keySet().removeIf(CompletableFuture::isDone);
    }
}
