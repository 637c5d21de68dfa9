package org.daqfabric.impl.async;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.concurrent.CompletableFuture;

/** Converts OpenDaylight's futures to Java's. */
public final class Futures {
    private Futures() {
    }

    /** Completes as the given future does, on the thread that completes it. */
    public static <T> CompletableFuture<T> completable(ListenableFuture<? extends T> future) {
        CompletableFuture<T> completable = new CompletableFuture<>();
        com.google.common.util.concurrent.Futures.addCallback(future, new FutureCallback<T>() {
            @Override
            public void onSuccess(T result) {
                completable.complete(result);
            }

            @Override
            public void onFailure(Throwable cause) {
                completable.completeExceptionally(cause);
            }
        }, MoreExecutors.directExecutor());
        return completable;
    }
}
