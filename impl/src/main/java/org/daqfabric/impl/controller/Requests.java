package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.daqfabric.impl.controller.spi.Timer;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The open requests to an event loop. Each is answered: by its result, by a failure when the loop ends, or by a failure
 * after {@link #LIMIT} if no event has answered it. Thread-safe.
 */
final class Requests {
    /** Longer than any inspection takes while the switches answer. */
    static final Duration LIMIT = Duration.ofMinutes(2);

    private final Timer timer;
    private final Set<CompletableFuture<?>> open = ConcurrentHashMap.newKeySet();
    /** Why the loop has ended; null while it runs. */
    private volatile @Nullable Exception ended;

    Requests(Timer timer) {
        this.timer = timer;
    }

    /**
     * A new request, to be completed with its result.
     *
     * @param what names the request and what it concerns, for the message of a timeout
     */
    <T> CompletableFuture<T> open(String what) {
        CompletableFuture<T> request = new CompletableFuture<>();
        open.add(request);
        request.whenComplete((result, failure) -> open.remove(request));
        timer.after(LIMIT, () -> request.completeExceptionally(new TimeoutException(what + ": no answer within "
            + LIMIT.toSeconds() + " s; the controller's log may say why")));
        // the loop may have ended since the caller found it
        if (ended != null) {
            request.completeExceptionally(ended);
        }
        return request;
    }

    /** The loop has ended: fails all open requests and later ones. */
    void end(Exception why) {
        ended = why;
        open.forEach(request -> request.completeExceptionally(why));
    }
}
