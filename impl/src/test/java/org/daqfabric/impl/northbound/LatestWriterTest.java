package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.SettableFuture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;

/** A datastore that answers late, or never. */
class LatestWriterTest {
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    private final DataBroker broker = mock();
    private final WriteTransaction transaction = mock();
    /** Answers of the datastore to each write, in order. */
    private final List<SettableFuture<CommitInfo>> answers = new CopyOnWriteArrayList<>();
    /** When each write was made that notes it. */
    private final List<Long> begun = new CopyOnWriteArrayList<>();
    /** What each write was made of. */
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private final LatestWriter<String> writer = new LatestWriter<>("The text", broker, executor,
        Duration.ofSeconds(1), (tx, before, target) -> writes.add(before + " -> " + target));

    @BeforeEach
    void begin() {
        when(broker.newWriteOnlyTransaction()).thenReturn(transaction);
        when(transaction.commit()).thenAnswer(call -> {
            SettableFuture<CommitInfo> answer = SettableFuture.create();
            answers.add(answer);
            return FluentFuture.from(answer);
        });
    }

    /** Writes may be told to keep apart; the last of the values that arrive between two is written in the end. */
    @Test
    void writesKeepApart() {
        LatestWriter<String> slow = new LatestWriter<>("The text", broker, executor, Duration.ofSeconds(10),
            Duration.ofMillis(300), (tx, before, target) -> {
                writes.add(before + " -> " + target);
                begun.add(System.nanoTime());
            });
        slow.want("first");
        await().until(() -> answers.size() == 1);
        answers.getFirst().set(null);
        slow.want("second");
        slow.want("third");
        await().until(() -> answers.size() == 2);
        assertThat(writes).containsExactly("null -> first", "first -> third");
        assertThat(begun.get(1) - begun.get(0)).isGreaterThan(Duration.ofMillis(290).toNanos());
    }

    @AfterEach
    void end() {
        executor.shutdownNow();
    }

    /** Values in between are not written. */
    @Test
    void writesTheNewest() {
        writer.want("a");
        await().until(() -> answers.size() == 1);
        writer.want("b");
        writer.want("c");
        final CompletableFuture<Void> written = writer.whenWritten();
        answer(0);
        await().until(() -> answers.size() == 2);
        assertThat(written).isNotDone();
        answer(1);
        await().until(written::isDone);
        assertThat(writes).containsExactly("null -> a", "a -> c");
    }

    /** A write without an answer is repeated, with nothing assumed of what is stored. */
    @Test
    void repeatsWhatIsNotAnswered() {
        writer.want("a");
        await().until(() -> answers.size() == 1);
        answer(0);
        writer.want("b");
        await().until(() -> answers.size() == 3);
        answer(2);
        final CompletableFuture<Void> written = writer.whenWritten();
        await().until(written::isDone);
        assertThat(writes).containsExactly("null -> a", "a -> b", "null -> b");
    }

    /** A write that was given up and is stored after all may have undone a newer one, which is repeated. */
    @Test
    void repeatsWhatALateWriteMayHaveUndone() {
        writer.want("a");
        await().until(() -> answers.size() == 2);
        writer.want("b");
        answer(1);
        await().until(() -> answers.size() == 3);
        answer(2);
        final CompletableFuture<Void> written = writer.whenWritten();
        await().until(written::isDone);
        answer(0);
        await().until(() -> answers.size() == 4);
        assertThat(writes).containsExactly("null -> a", "null -> a", "a -> b", "null -> b");
    }

    private void answer(int write) {
        answers.get(write).set(CommitInfo.empty());
    }
}
