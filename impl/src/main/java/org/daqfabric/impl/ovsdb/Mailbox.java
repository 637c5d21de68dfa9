package org.daqfabric.impl.ovsdb;

import com.google.common.util.concurrent.MoreExecutors;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after another in the order they came. Guava's sequential executor does that; added here is only
 * {@link #isLast}, and that a driver which has been closed drops tasks instead of failing.
 */
final class Mailbox {
    private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

    private final AtomicInteger pending = new AtomicInteger();
    private final Executor executor;

    Mailbox(Executor threads) {
        executor = MoreExecutors.newSequentialExecutor(threads);
    }

    void execute(Runnable task) {
        pending.incrementAndGet();
        try {
            executor.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("Closed: no task is run any more", e);
        }
    }

    /** Whether no other task waits; call only from within a task. */
    boolean isLast() {
        return pending.get() == 1;
    }

    @SuppressWarnings("checkstyle:illegalCatch") // a fault of one task must not stop the others
    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("A task for an OVSDB node failed; its other tasks go on", e);
        } finally {
            pending.decrementAndGet();
        }
    }
}
