package org.daqfabric.impl.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events run in order, and the loop continues after an event that throws. */
class SerialLoopTest {
    private final List<String> done = new ArrayList<>();
    private final List<Runnable> turns = new ArrayList<>();
    private int failures;
    private long nanos;
    private final SerialLoop loop = new SerialLoop(turns::add, () -> done.add("settled"),
        () -> failures++, () -> nanos);

    /** A burst of events is settled once. */
    @Test
    void burstIsSettledOnce() {
        loop.post("one", () -> done.add("one"));
        loop.post("two", () -> done.add("two"));
        assertThat(turns).hasSize(1);
        turns.remove(0).run();
        assertThat(done).containsExactly("one", "two", "settled");
    }

    /** After an Error in an event the later events run, and so does the loop at the next event. */
    @Test
    void errorDoesNotStopTheLoop() {
        loop.post("broken", () -> {
            throw new StackOverflowError("planted");
        });
        loop.post("after it", () -> done.add("after it"));
        turns.remove(0).run();
        assertThat(done).containsExactly("after it", "settled");
        assertThat(failures).isEqualTo(1);
        loop.post("later", () -> done.add("later"));
        assertThat(turns).hasSize(1);
        turns.remove(0).run();
        assertThat(done).endsWith("later", "settled");
    }

    /** The loop continues after an Error in settle, too. */
    @Test
    void errorWhileSettlingDoesNotStopTheLoop() {
        List<Runnable> later = new ArrayList<>();
        SerialLoop failing = new SerialLoop(later::add, () -> {
            throw new NoClassDefFoundError("planted");
        }, () -> failures++);
        failing.post("one", () -> done.add("one"));
        later.remove(0).run();
        failing.post("two", () -> done.add("two"));
        assertThat(later).hasSize(1);
        later.remove(0).run();
        assertThat(done).containsExactly("one", "two");
        assertThat(failures).isEqualTo(2);
    }

    /** A loop stands while something waits, counted from the end of the last event. */
    @Test
    void standingLoopIsSeen() {
        nanos = 7;
        assertThat(loop.standing()).isZero();
        loop.post("one", () -> nanos += 5);
        loop.post("two", () -> {
            nanos += 3;
            done.add("standing " + loop.standing().toNanos());
        });
        nanos = 100;
        assertThat(loop.standing()).hasNanos(93);
        turns.remove(0).run();
        assertThat(done).containsExactly("standing 3", "settled");
        nanos = 1000;
        assertThat(loop.standing()).isZero();
    }

    /** If no thread can be started, the events wait until the next one is posted. */
    @Test
    void eventsWaitForAThread() {
        List<String> run = new ArrayList<>();
        SerialLoop starved = new SerialLoop(turn -> {
            if (run.isEmpty() && failures++ == 0) {
                throw new OutOfMemoryError("unable to create native thread (planted)");
            }
            turn.run();
        }, () -> { }, () -> { });
        assertThatThrownBy(() -> starved.post("one", () -> run.add("one"))).isInstanceOf(OutOfMemoryError.class);
        starved.post("two", () -> run.add("two"));
        assertThat(run).containsExactly("one", "two");
    }
}
