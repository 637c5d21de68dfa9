package org.daqfabric.impl.async;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs events one after another in the order they came, and after each burst of them one task that acts on what they
 * changed. That task is what Guava's sequential executor does not have; where it is not needed, use that one.
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
     * @param settle runs when no event waits, to act on what the events changed
     */
    public SerialLoop(Executor executor, Runnable settle) {
        this.executor = executor;
        this.settle = settle;
    }

    /**
     * Adds an event from any thread.
     *
     * @param what names the event and what it concerns, for the log if it fails
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
        // an event that came in between has found the loop running
        if (!events.isEmpty() && running.compareAndSet(false, true)) {
            executor.execute(this::drain);
        }
    }

    /** Logs whatever was thrown, also an Error: it must not stop the events after it, on which repairs depend. */
    @SuppressWarnings("checkstyle:illegalCatch") // a fault of one task must not stop the others
    private static void run(Event event) {
        try {
            event.task.run();
        } catch (Throwable e) {
            LOG.error("{} failed; the event is dropped, others continue", event.what, e);
        }
    }
}
