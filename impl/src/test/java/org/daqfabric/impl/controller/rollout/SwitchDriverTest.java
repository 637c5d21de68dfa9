package org.daqfabric.impl.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.daqfabric.api.program.Entries;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.engine.diff.Stage;
import org.junit.jupiter.api.Test;

/** A driver and one switch, with failing reads and changes. */
class SwitchDriverTest {
    private final List<CompletableFuture<InstalledState>> reads = new ArrayList<>();
    private final List<CompletableFuture<List<RuleChannel.Refusal>>> sends = new ArrayList<>();
    private final List<Runnable> timers = new ArrayList<>();
    private final SwitchDriver driver = new SwitchDriver("leaf-1-1", 1, new RuleChannel() {
        @Override
        public CompletionStage<InstalledState> read(long datapathId) {
            reads.add(new CompletableFuture<>());
            return reads.get(reads.size() - 1);
        }

        @Override
        public CompletionStage<List<Refusal>> send(long datapathId, List<Message> messages) {
            sends.add(new CompletableFuture<>());
            return sends.get(sends.size() - 1);
        }

        @Override
        public CompletionStage<Map<Integer, Long>> held(long datapathId) {
            throw new AssertionError("a driver does not ask what daqrings hold");
        }

        @Override
        public void clearPortBits(long datapathId, int port) {
            throw new AssertionError("a driver knows no ports");
        }

        @Override
        public void watchCabling(long datapathId, Set<Integer> ports) {
            throw new AssertionError("a driver does not watch cabling");
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

    /** A switch that reconnects is read at once, even if a retry on its lost connection is due only later. */
    @Test
    void reconnectedSwitchDoesNotWaitForAnEarlierRetry() {
        driver.desire(Program.EMPTY, 1, Stage.REMOVE);
        driver.connected();
        reads.get(0).completeExceptionally(new IOException("it went away"));
        driver.disconnected();
        driver.connected();
        assertThat(reads).hasSize(2);

        // the timer of the old connection does not shorten the pause of the new one
        reads.get(1).completeExceptionally(new IOException("it is busy"));
        timers.get(0).run();
        assertThat(reads).hasSize(2);
        timers.get(1).run();
        assertThat(reads).hasSize(3);
        reads.get(2).complete(new InstalledState(Program.EMPTY, Program.EMPTY, 0));
        assertThat(driver.hasFinished(Stage.REMOVE)).isTrue();
    }

    /** Removals do not delay the stage before them. */
    @Test
    void removalsDoNotDelayChanges() {
        Program old = new Program(Entries.ofRules(List.of(new Rule(1, Match.ALL, List.of()))), Program.EMPTY.groups());
        driver.connected();
        driver.desire(Program.EMPTY, 1, Stage.REMOVE);
        reads.get(0).complete(new InstalledState(old, Program.EMPTY, 0));
        assertThat(sends).hasSize(1);
        assertThat(driver.hasFinished(Stage.CHANGE)).isTrue();
        assertThat(driver.hasFinished(Stage.REMOVE)).isFalse();

        sends.get(0).completeExceptionally(new IOException("it went away"));
        assertThat(driver.hasFinished(Stage.CHANGE)).as("it is unknown what is installed").isFalse();
        timers.get(0).run();
        reads.get(1).complete(new InstalledState(old, Program.EMPTY, 0));
        sends.get(1).complete(List.of());
        assertThat(driver.hasFinished(Stage.REMOVE)).isTrue();
    }
}
