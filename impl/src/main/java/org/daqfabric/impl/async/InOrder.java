package org.daqfabric.impl.async;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Steps that begin one after another, whether the one before succeeded or not. */
public final class InOrder {
    private final Executor executor;
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /** Where steps begin. */
    public InOrder(Executor executor) {
        this.executor = executor;
    }

    /** Begins a step when all before it have ended. */
    public synchronized <T> CompletableFuture<T> then(Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> next = last.handle((result, failure) -> null).thenComposeAsync(unused -> step.get(), executor);
        last = next;
        return next;
    }
}
