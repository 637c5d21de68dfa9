package org.daqfabric.impl.async;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Steps that begin one after another, whether the one before succeeded or not. */
public final class InOrder {
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /** Begins a step when all before it have ended. */
    public synchronized <T> CompletableFuture<T> then(Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> next = last.handle((result, failure) -> null).thenCompose(unused -> step.get());
        last = next;
        return next;
    }
}
