package org.daqfabric.impl.async;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RepeatingTest {
    private static final int SECONDS = 10;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void end() {
        thread.shutdownNow();
    }

    private void repeat(Runnable task) {
        thread.scheduleWithFixedDelay(new Repeating("the task", thread, task), 0, 1, TimeUnit.MILLISECONDS);
    }

    @Test
    void failureIsToldAndTheTaskRunsAgain() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(2);
        try (LogLines log = new LogLines()) {
            repeat(() -> {
                runs.countDown();
                if (runs.getCount() == 1) {
                    throw new IllegalStateException("the first time");
                }
            });
            assertThat(runs.await(SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(log.with("the task failed this time; it runs again")).hasSize(1);
            assertThat(log.with("IllegalStateException: the first time")).hasSize(1);
        }
    }

    /** A controller that stops interrupts its threads, and closes what they use. */
    @Test
    void whatFailsWhenItsThreadIsEndedIsNoError() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        try (LogLines log = new LogLines()) {
            repeat(() -> {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("interrupted", e);
                }
            });
            assertThat(begun.await(SECONDS, TimeUnit.SECONDS)).isTrue();
            thread.shutdownNow();
            assertThat(thread.awaitTermination(SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(log.with("the task")).isEmpty();
        }
    }
}
