package org.daqfabric.impl.async;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** An event loop, as seen by the objects that live in it: all their code runs in it, so they need no locks. */
public interface EventLoop {
    /** Runs a continuation in the loop when a stage completes; one of its two arguments is null. */
    <T> void then(CompletionStage<T> stage, BiConsumer<T, Throwable> continuation);

    /** Runs a task in the loop after a delay. */
    void after(Duration delay, Runnable task);
}
