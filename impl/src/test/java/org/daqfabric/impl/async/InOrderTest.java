package org.daqfabric.impl.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Steps run one after another; a step that never ends delays the others for a limited time only. */
class InOrderTest {
    /** A step begins when the one before has ended, whether it succeeded or not. */
    @Test
    void stepsWaitForEachOther() {
        InOrder steps = new InOrder(Runnable::run, Duration.ofMinutes(1));
        CompletableFuture<String> open = new CompletableFuture<>();
        CompletableFuture<String> first = steps.then(() -> open);
        CompletableFuture<String> second = steps.then(() -> CompletableFuture.completedFuture("second"));
        assertThat(second).isNotDone();
        open.completeExceptionally(new IllegalStateException("planted"));
        assertThatThrownBy(first::join).hasRootCauseMessage("planted");
        assertThat(second).isCompletedWithValue("second");
    }

    /** A step that exceeds its time no longer delays the next one, and still gets its result when it ends. */
    @Test
    void stepWithoutAnAnswerIsPassed() throws Exception {
        InOrder steps = new InOrder(Runnable::run, Duration.ofMillis(20));
        CompletableFuture<String> open = new CompletableFuture<>();
        CompletableFuture<String> first = steps.then(() -> open);
        assertThat(steps.then(() -> CompletableFuture.completedFuture("second")).get(10, TimeUnit.SECONDS))
            .isEqualTo("second");
        assertThat(first).isNotDone();
        open.complete("first");
        assertThat(first).isCompletedWithValue("first");
    }

    /** A step that throws, an exception or an Error, counts as failed. */
    @Test
    void stepThatThrowsHasFailed() {
        InOrder steps = new InOrder(Runnable::run, Duration.ofMinutes(1));
        CompletableFuture<String> first = steps.then(() -> {
            throw new NoClassDefFoundError("planted");
        });
        assertThatThrownBy(first::join).hasCauseInstanceOf(NoClassDefFoundError.class);
        assertThat(steps.then(() -> CompletableFuture.completedFuture("second"))).isCompletedWithValue("second");
    }
}
