package org.daqfabric.impl.async;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs asynchronous steps one after another: each begins when the one before has ended, successfully or not, or has
 * taken too long. A sequential executor does not do that, because a step goes on after the call that began it has
 * returned.
 */
public final class InOrder {
    private final Executor executor;
    private final Duration limit;
    @GuardedBy("this")
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /**
     * Has no steps yet.
     *
     * @param executor on which steps begin
     * @param limit how long a step may hold up those after it
     */
    public InOrder(Executor executor, Duration limit) {
        this.executor = executor;
        this.limit = limit;
    }

    /**
     * Adds a step, which begins when all before it have ended or reached the limit.
     *
     * @return completes as the step does, however late
     */
    public synchronized <T> CompletableFuture<T> then(Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        last = last.handle((result, failure) -> null).thenComposeAsync(unused -> {
            begin(step).whenComplete((result, failure) -> {
                if (failure == null) {
                    answer.complete(result);
                } else {
                    answer.completeExceptionally(Causes.of(failure));
                }
            });
            return answer.copy().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS);
        }, executor);
        return answer;
    }

    @SuppressWarnings("checkstyle:illegalCatch") // a step that fails at once has failed like any other
    private static <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> step) {
        try {
            return step.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
