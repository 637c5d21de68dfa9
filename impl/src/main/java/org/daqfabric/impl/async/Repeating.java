package org.daqfabric.impl.async;

import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that a scheduler runs again and again. A scheduler stops at the first thing that a task throws, without a
 * word; this one logs it, and the task runs the next time. What fails because the controller stops is no error.
 *
 * @param what names the task, for the log
 * @param thread runs the task
 */
public record Repeating(String what, ExecutorService thread, Runnable task) implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Repeating.class);

    @Override
    @SuppressWarnings("checkstyle:illegalCatch") // whatever failed this time, there is a next time
    public void run() {
        try {
            task.run();
        } catch (Throwable e) {
            if (thread.isShutdown()) {
                LOG.debug("{} was ended", what, e);
            } else {
                LOG.error("{} failed this time; it runs again", what, e);
            }
        }
    }
}
