package org.daqfabric.impl.ovsdb;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks one after another, in the order they came, and occupies a thread only while there are any. */
final class Mailbox {
    private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final Executor executor;

    Mailbox(Executor executor) {
        this.executor = executor;
    }

    void execute(Runnable task) {
        tasks.add(task);
        if (pending.getAndIncrement() == 0) {
            try {
                executor.execute(this::drain);
            } catch (RejectedExecutionException e) {
                LOG.debug("Closed: nothing is run any more", e);
            }
        }
    }

    /** Whether nothing waits; asked from within a task. */
    boolean isLast() {
        return pending.get() == 1;
    }

    private void drain() {
        do {
            try {
                tasks.remove().run();
            } catch (RuntimeException e) {
                LOG.error("A task for an OVSDB node failed; its other tasks go on", e);
            }
        } while (pending.decrementAndGet() > 0);
    }
}
