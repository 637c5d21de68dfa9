package org.daqfabric.impl.controller;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Removals that somebody gives up.
 *
 * @param stored completes when that is stored, which is when it counts: otherwise a controller that is killed and
 *     started again would remove what it had said that it leaves
 */
record GivenUp(Set<MarkedBridge> bridges, CompletableFuture<Void> stored) {
    void answer(@Nullable Throwable failure) {
        if (failure == null) {
            stored.complete(null);
        } else {
            stored.completeExceptionally(new IllegalStateException("nothing was given up, as it could not be stored: "
                + Causes.inWords(failure), failure));
        }
    }

    /** Nobody will store it. */
    void end() {
        stored.completeExceptionally(new StandbyException("nothing was given up, as this controller ends: ask again"));
    }
}
