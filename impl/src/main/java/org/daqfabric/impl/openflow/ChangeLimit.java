package org.daqfabric.impl.openflow;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Limits the changes that are on the way to all switches together. A machine that has too much to do takes from every
 * connection in turn, so without this a large fabric's switches would all be late with their answers to barriers and
 * echoes, seem lost, and be given everything again. Thread-safe.
 */
final class ChangeLimit {
    /** So many that no processor idles, and so few that they are answered in about a second. */
    private static final int MOST = 50_000;
    /** Batches of up to this size, such as those of repairs, never wait. */
    private static final int SMALL = 256;
    /** How long a batch counts at most: others do not wait for a switch that does not answer. */
    private static final long COUNTED_MILLIS = 2000;

    @GuardedBy("this")
    private final Queue<Batch> waiting = new ArrayDeque<>();
    @GuardedBy("this")
    private int sent;

    private record Batch(int changes, Runnable begin) {
    }

    /**
     * Sends a batch, when those before it have been answered or the limit has room for it.
     *
     * @param send completes with the answer
     */
    <T> CompletableFuture<T> send(final int changes, final Supplier<CompletableFuture<T>> send) {
        if (changes <= SMALL) {
            return send.get();
        }
        final var answer = new CompletableFuture<T>();
        synchronized (this) {
            waiting.add(new Batch(changes, () -> begin(changes, send, answer)));
        }
        sendWaiting();
        return answer;
    }

    private <T> void begin(final int changes, final Supplier<CompletableFuture<T>> send,
            final CompletableFuture<T> answer) {
        CompletableFuture.completedFuture(null).thenCompose(unused -> send.get())
            .whenComplete((value, failure) -> {
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        // asynchronously, as many that fail at once would otherwise begin each other ever deeper
        answer.handle((value, failure) -> true).completeOnTimeout(false, COUNTED_MILLIS, TimeUnit.MILLISECONDS)
            .thenRunAsync(() -> {
                synchronized (this) {
                    sent -= changes;
                }
                sendWaiting();
            });
    }

    private void sendWaiting() {
        for (var next = next(); next != null; next = next()) {
            next.begin().run();
        }
    }

    private synchronized @Nullable Batch next() {
        final var first = waiting.peek();
        if (first == null || sent > 0 && sent + first.changes() > MOST) {
            return null;
        }
        sent += first.changes();
        return waiting.remove();
    }
}
