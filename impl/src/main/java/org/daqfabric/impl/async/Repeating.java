package org.daqfabric.impl.async;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that a scheduler runs again and again. A scheduler stops at the first thing that a task throws, without a
 * word; this one logs it, and the task runs the next time.
 *
 * @param what names the task, for the log
 */
public record Repeating(String what, Runnable task) implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Repeating.class);

    @Override
    @SuppressWarnings("checkstyle:illegalCatch") // whatever failed this time, there is a next time
    public void run() {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("{} failed this time; it runs again", what, e);
        }
    }
}
