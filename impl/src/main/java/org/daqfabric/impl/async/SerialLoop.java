package org.daqfabric.impl.async;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs events one after another in the order they came, and after all that are there a task that acts on what they
 * changed: a burst of events costs one such task.
 */
public final class SerialLoop {
    private static final Logger LOG = LoggerFactory.getLogger(SerialLoop.class);

    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();
    private final Executor executor;
    private final Runnable settle;

    private record Event(String what, Runnable task) {
    }

    /**
     * Creates a loop.
     *
     * @param settle acts on what the events changed
     */
    public SerialLoop(Executor executor, Runnable settle) {
        this.executor = executor;
        this.settle = settle;
    }

    /**
     * Adds an event from any thread.
     *
     * @param what what it is and what it concerns, for the log should it fail
     */
    public void post(String what, Runnable task) {
        events.add(new Event(what, task));
        if (running.compareAndSet(false, true)) {
            executor.execute(this::drain);
        }
    }

    private void drain() {
        Event event;
        while ((event = events.poll()) != null) {
            run(event);
        }
        run(new Event("acting on events", settle));
        running.set(false);
        // an event that came in between found the loop running
        if (!events.isEmpty() && running.compareAndSet(false, true)) {
            executor.execute(this::drain);
        }
    }

    /** One event that fails is logged with what it concerns and stops nothing else. */
    @SuppressWarnings("checkstyle:illegalCatch")
    private static void run(Event event) {
        try {
            event.task.run();
        } catch (RuntimeException e) {
            LOG.error("{} failed; the fabric goes on as it was before it", event.what, e);
        }
    }
}
