package org.daqfabric.impl.async;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs asynchronous steps one after another: each begins when the one before has ended, successfully or not. A
 * sequential executor does not do that, because a step goes on after the call that began it has returned.
 */
public final class InOrder {
    private final Executor executor;
    @GuardedBy("this")
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /**
     * Has no steps yet.
     *
     * @param executor on which steps begin
     */
    public InOrder(Executor executor) {
        this.executor = executor;
    }

    /** Adds a step, which begins when all before it have ended. */
    public synchronized <T> CompletableFuture<T> then(Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> next = last.handle((result, failure) -> null)
            .thenComposeAsync(unused -> step.get(), executor);
        last = next;
        return next;
    }
}
