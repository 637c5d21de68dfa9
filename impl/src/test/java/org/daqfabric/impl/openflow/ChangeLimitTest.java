package org.daqfabric.impl.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ChangeLimitTest {
    private final ChangeLimit limit = new ChangeLimit();
    /** Answers of those that were sent. */
    private final List<CompletableFuture<String>> sent = new CopyOnWriteArrayList<>();

    private CompletableFuture<String> send(final int changes) {
        return limit.send(changes, () -> {
            final var answer = new CompletableFuture<String>();
            sent.add(answer);
            return answer;
        });
    }

    @Test
    void laterBatchesWaitForRoom() {
        final var first = send(30_000);
        send(20_000);
        final var third = send(300);
        assertThat(sent).hasSize(2);
        sent.get(0).complete("done");
        assertThat(first).isCompletedWithValue("done");
        await().until(() -> sent.size() == 3);
        sent.get(2).complete("also");
        assertThat(third).isCompletedWithValue("also");
    }

    @Test
    void smallBatchesNeverWait() {
        send(50_000);
        send(20_000);
        send(256);
        assertThat(sent).hasSize(2);
    }

    @Test
    void batchOverTheLimitIsSentAlone() {
        send(80_000);
        send(80_000);
        assertThat(sent).hasSize(1);
        sent.get(0).complete("done");
        await().until(() -> sent.size() == 2);
    }

    /** Ten thousand switches that are lost at once, of which the last waits for all others. */
    @Test
    void failuresMakeRoom() {
        send(50_000);
        CompletableFuture<String> last = null;
        for (int each = 0; each < 10_000; each++) {
            last = limit.send(50_000, () -> CompletableFuture.failedFuture(new IllegalStateException("lost")));
        }
        assertThat(last).isNotDone();
        sent.get(0).completeExceptionally(new IllegalStateException("lost"));
        await().until(last::isCompletedExceptionally);
    }

    /** One that throws counts as failed. */
    @Test
    void errorsMakeRoom() {
        final CompletableFuture<String> failed = limit.send(50_000, () -> {
            throw new IllegalStateException("closing");
        });
        assertThat(failed).isCompletedExceptionally();
        send(50_000);
        await().until(() -> sent.size() == 1);
    }

    @Test
    void silentSwitchHoldsUpNobodyForLong() {
        final var silent = send(50_000);
        send(50_000);
        assertThat(sent).hasSize(1);
        await().until(() -> sent.size() == 2);
        assertThat(silent).isNotDone();
    }
}
