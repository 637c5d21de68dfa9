package org.daqfabric.impl.openflow;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Tells when the groups in the operational inventory are newer than a moment. The plugin copies them there every now
 * and then, and marks the beginning and the end of each copying; these marks come by, in order but late.
 */
final class Snapshots {
    /**
     * The first beginning that is heard of after a moment may have happened just before it; the second one, a polling
     * interval later, cannot.
     */
    private static final int ENOUGH = 2;

    private final Executor executor;
    private final List<Waiter> waiters = new ArrayList<>();
    private long begun;
    private String lastBegin = "";
    private boolean ended;
    private Throwable failure;

    Snapshots(final Executor executor) {
        this.executor = executor;
    }

    /** Completes, on the executor, when the inventory shows groups that were read from the switch after this call. */
    synchronized CompletableFuture<Void> next() {
        final var done = new CompletableFuture<Void>();
        if (failure != null) {
            done.completeExceptionally(failure);
        } else {
            waiters.add(new Waiter(begun + ENOUGH, done));
        }
        return done;
    }

    /**
     * A change of the marks.
     *
     * @param begin when the newest copying began
     * @param finished whether it has ended well
     */
    synchronized void mark(final String begin, final boolean finished) {
        if (!begin.equals(lastBegin)) {
            lastBegin = begin;
            ended = false;
            begun++;
        }
        if (finished && !ended) {
            ended = true;
            for (final Iterator<Waiter> it = waiters.iterator(); it.hasNext();) {
                final Waiter waiter = it.next();
                if (waiter.begin <= begun) {
                    it.remove();
                    executor.execute(() -> waiter.done.complete(null));
                }
            }
        }
    }

    /** Fails all who wait, now and from now on. */
    synchronized void fail(final Throwable cause) {
        failure = cause;
        waiters.forEach(waiter -> executor.execute(() -> waiter.done.completeExceptionally(cause)));
        waiters.clear();
    }

    private record Waiter(long begin, CompletableFuture<Void> done) {
    }
}
