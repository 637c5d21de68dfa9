package org.daqfabric.impl.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which switches answer late, on a clock of the test's own. */
class LateSwitchesTest {
    private static final long ID = 7;

    private final SentMessages queue = new SentMessages();
    private final Map<Long, SwitchWay> used = new HashMap<>();
    private final Set<Long> known = new HashSet<>(Set.of(ID));
    private long now = -5;
    private final LateSwitches late = new LateSwitches(() -> Map.copyOf(used), known::contains, () -> now);

    @BeforeEach
    void connect() {
        connect(ID, queue, Runnable::run);
    }

    private SwitchSession connect(long id, SentMessages sent, Executor reader) {
        SwitchSession session = new SwitchSession(id, sent, new RecordedSwitchEvents(), (limit, why) -> { }, 10);
        session.open(Map.of());
        SwitchWay way = mock(SwitchWay.class);
        when(way.session()).thenReturn(session);
        when(way.reader()).thenReturn(reader);
        used.put(id, way);
        return session;
    }

    private void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Seconds without an answer. */
    private void frozen(int rounds) {
        IntStream.range(0, rounds).forEach(each -> {
            pass(1001);
            late.round();
        });
    }

    /** Seconds in each of which the question before is answered. */
    private void answering(int rounds) {
        IntStream.range(0, rounds).forEach(each -> {
            pass(1);
            queue.answer(null);
            pass(1000);
            late.round();
        });
    }

    /** One that stands still is late within five seconds, and until it has answered in time for ten. */
    @Test
    void oneThatStandsStill() {
        frozen(1);
        assertThat(queue.endsWithBarrier()).isTrue();
        frozen(3);
        assertThat(late.now()).isEmpty();
        frozen(1);
        assertThat(late.now()).containsExactly(ID);
        answering(10);
        assertThat(late.now()).as("its late rounds are among the last ten").containsExactly(ID);
        answering(1);
        assertThat(late.now()).isEmpty();
    }

    /** Pauses of two seconds, one after the other: each time all that waits for it waits for as long. */
    @Test
    void manyShortPauses() {
        frozen(1);
        for (int pause = 0; pause < 3; pause++) {
            assertThat(late.now()).isEmpty();
            frozen(2);
            answering(1);
        }
        assertThat(late.now()).containsExactly(ID);
    }

    /** What it is busy with for this controller does not count against it, but longer than that may take does. */
    @Test
    void ownWorkMayTakeItsTime() {
        CompletableFuture<Void> work = new CompletableFuture<>();
        assertThat(late.during(ID, 5000, work)).isSameAs(work);
        frozen(7);
        assertThat(late.now()).isEmpty();
        frozen(3);
        assertThat(late.now()).containsExactly(ID);
        work.complete(null);
        answering(11);
        assertThat(late.now()).isEmpty();
        frozen(4);
        assertThat(late.now()).as("the work is done").containsExactly(ID);
    }

    /** A controller that stood still itself blames no switch for it, whether it reads the answer or asks first. */
    @Test
    void theControllerStoodStill() {
        frozen(1);
        for (int pause = 0; pause < 20; pause++) {
            pass(4000);
            queue.answer(null);
            late.round();
            pass(4000);
            late.round();
            pass(1);
            queue.answer(null);
            late.round();
        }
        assertThat(late.now()).isEmpty();
    }

    /** Nor does one of whose threads only that stands which reads what the switch sends. */
    @Test
    void theReaderStoodStill() {
        List<Runnable> waiting = new ArrayList<>();
        connect(ID, queue, waiting::add);
        for (int pause = 0; pause < 20; pause++) {
            frozen(5);
            waiting.removeFirst().run();
            queue.answer(null);
            waiting.forEach(Runnable::run);
            waiting.clear();
        }
        assertThat(late.now()).isEmpty();
    }

    /** One that loses its connection because it does not answer is late until it does again. */
    @Test
    void lateUntilItAnswersOnItsNextConnection() {
        frozen(5);
        used.remove(ID).session().close("it is silent");
        frozen(15);
        assertThat(late.now()).containsExactly(ID);
        connect(ID, queue, Runnable::run);
        frozen(1);
        assertThat(late.now()).containsExactly(ID);
        answering(10);
        assertThat(late.now()).isEmpty();
        frozen(4);
        assertThat(late.now()).containsExactly(ID);
        known.clear();
        frozen(1);
        assertThat(late.now()).as("no fabric has it any more").isEmpty();
    }

    /** One that was away for longer may have been switched off, and connects because it has time. */
    @Test
    void lateUntilItConnectsAfterALongTime() {
        frozen(5);
        used.remove(ID).session().close("it is silent");
        frozen(30);
        assertThat(late.now()).containsExactly(ID);
        connect(ID, queue, Runnable::run);
        frozen(1);
        assertThat(late.now()).isEmpty();
    }

    /** One of no fabric is not asked; and one that is away is not late. */
    @Test
    void strangersAndThoseAway() {
        SwitchSession stranger = connect(8, new SentMessages(), Runnable::run);
        used.remove(ID).session().close("its cable is cut");
        frozen(10);
        assertThat(stranger.pending()).as("questions to it").isZero();
        assertThat(late.now()).isEmpty();
    }
}
