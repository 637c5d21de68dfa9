package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.engine.diff.Stage;
import org.junit.jupiter.api.Test;

/** What becomes of one switch when things go wrong. */
class SwitchDriverTest {
    private final List<CompletableFuture<Held>> reads = new ArrayList<>();
    private final List<Runnable> timers = new ArrayList<>();
    private final SwitchDriver driver = new SwitchDriver("leaf-1-1", 1, new RuleChannel() {
        @Override
        public CompletionStage<Held> read(long datapathId) {
            reads.add(new CompletableFuture<>());
            return reads.get(reads.size() - 1);
        }

        @Override
        public CompletionStage<List<Refusal>> send(long datapathId, List<Message> messages) {
            throw new AssertionError("there is nothing to send");
        }

        @Override
        public void watchCabling(long datapathId, Set<Integer> ports) {
            throw new AssertionError("no business of a driver");
        }
    }, new SwitchDriver.Loop() {
        @Override
        public <T> void then(CompletionStage<T> stage, BiConsumer<T, Throwable> continuation) {
            stage.whenComplete(continuation);
        }

        @Override
        public void after(Duration delay, Runnable task) {
            timers.add(task);
        }
    });

    /** A switch that comes back is served at once, however long the next attempt on its lost connection was off. */
    @Test
    void reconnectedSwitchDoesNotWaitForAnEarlierRetry() {
        driver.target(Program.EMPTY, 1, Stage.REMOVE);
        driver.connected();
        reads.get(0).completeExceptionally(new IOException("it went away"));
        driver.disconnected();
        driver.connected();
        assertThat(reads).hasSize(2);

        // nor does that attempt cut short the wait of the new connection
        reads.get(1).completeExceptionally(new IOException("it is busy"));
        timers.get(0).run();
        assertThat(reads).hasSize(2);
        timers.get(1).run();
        assertThat(reads).hasSize(3);
        reads.get(2).complete(new Held(Program.EMPTY, Program.EMPTY, 0));
        assertThat(driver.isThrough(Stage.REMOVE)).isTrue();
    }
}
