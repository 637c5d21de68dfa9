package org.daqfabric.impl.openflow;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Tells when the groups in the operational inventory are newer than a moment. The plugin copies them there at the
 * start of a connection and every polling interval, and marks the beginning and the end of each copying; the marks
 * come by in order, but late.
 */
final class Snapshots {
    /**
     * The first copying whose end is heard of after a moment may have read the switch just before it; the second one
     * began a polling interval later.
     */
    private static final int ENOUGH = 2;

    private final Executor executor;
    private final List<Waiter> waiters = new ArrayList<>();
    private String lastBegin = "";
    private boolean ended;
    private long done;
    private Throwable failure;

    Snapshots(final Executor executor) {
        this.executor = executor;
    }

    /** Completes, on the executor, once the inventory shows what was read from the switch after it connected. */
    CompletableFuture<Void> first() {
        return await(1);
    }

    /** Completes, on the executor, once the inventory shows what was read from the switch after this call. */
    synchronized CompletableFuture<Void> next() {
        return await(done + ENOUGH);
    }

    /** Sets the marks that an earlier connection may have left. */
    synchronized void start(final String begin, final boolean finished) {
        lastBegin = begin;
        ended = finished;
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
        }
        if (finished && !ended) {
            ended = true;
            done++;
            for (final Iterator<Waiter> it = waiters.iterator(); it.hasNext();) {
                final Waiter waiter = it.next();
                if (waiter.count <= done) {
                    it.remove();
                    executor.execute(() -> waiter.future.complete(null));
                }
            }
        }
    }

    /** Fails all who wait, now and from now on. */
    synchronized void fail(final Throwable cause) {
        failure = cause;
        waiters.forEach(waiter -> waiter.future.completeExceptionally(cause));
        waiters.clear();
    }

    private synchronized CompletableFuture<Void> await(final long count) {
        final var future = new CompletableFuture<Void>();
        if (failure != null) {
            future.completeExceptionally(failure);
        } else if (count <= done) {
            future.complete(null);
        } else {
            waiters.add(new Waiter(count, future));
        }
        return future;
    }

    private record Waiter(long count, CompletableFuture<Void> future) {
    }
}
