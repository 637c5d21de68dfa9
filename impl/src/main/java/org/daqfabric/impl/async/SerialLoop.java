package org.daqfabric.impl.async;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs events one after another in the order they came, and after each burst of them one task that acts on what they
 * changed. That task is what Guava's sequential executor does not have; where it is not needed, use that one.
 *
 * <p>Whatever an event throws, also an Error, costs that event and no other; it is logged and told to the loop's owner,
 * who knows what else may be lost by it.
 */
public final class SerialLoop {
    private static final Logger LOG = LoggerFactory.getLogger(SerialLoop.class);

    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();
    private final Executor executor;
    private final Runnable settle;
    private final Runnable failed;
    private final LongSupplier nanos;
    /** When the last event ended, or when the first of a burst came. */
    private volatile long turned;

    private record Event(String what, Runnable task) {
    }

    /**
     * Creates a loop.
     *
     * @param settle runs when no event waits, to act on what the events changed
     * @param failed runs after an event or {@code settle} has thrown something; it must do no more than take a note,
     *     for memory may be short
     */
    public SerialLoop(Executor executor, Runnable settle, Runnable failed) {
        this(executor, settle, failed, System::nanoTime);
    }

    SerialLoop(Executor executor, Runnable settle, Runnable failed, LongSupplier nanos) {
        this.executor = executor;
        this.settle = settle;
        this.failed = failed;
        this.nanos = nanos;
    }

    /**
     * Adds an event from any thread.
     *
     * @param what names the event and what it concerns, for the log if it fails
     */
    public void post(String what, Runnable task) {
        events.add(new Event(what, task));
        if (running.compareAndSet(false, true)) {
            begin();
        }
    }

    /** Time since an event ended, or the first of them came, while events wait or one runs; zero while none does. */
    public Duration standing() {
        return running.get() ? Duration.ofNanos(Math.max(0, nanos.getAsLong() - turned)) : Duration.ZERO;
    }

    /** If no thread can be had the events wait for the next one to be posted. */
    private void begin() {
        turned = nanos.getAsLong();
        boolean begun = false;
        try {
            executor.execute(this::drain);
            begun = true;
        } finally {
            if (!begun) {
                running.set(false);
            }
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
            begin();
        }
    }

    @SuppressWarnings("checkstyle:illegalCatch") // a fault of one task must not stop the others
    private void run(Event event) {
        try {
            event.task.run();
        } catch (Throwable e) {
            failed.run();
            log(event, e);
        }
        turned = nanos.getAsLong();
    }

    @SuppressWarnings("checkstyle:illegalCatch") // where there is no memory for an event there may be none to log it
    private static void log(Event event, Throwable thrown) {
        try {
            LOG.error("{} failed; the event is dropped, others continue", event.what, thrown);
        } catch (Throwable e) {
            // the owner has been told, which needs no memory
        }
    }
}
