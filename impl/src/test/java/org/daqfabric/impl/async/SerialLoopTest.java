package org.daqfabric.impl.async;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events run in order, and whatever one of them throws the loop goes on. */
class SerialLoopTest {
    private final List<String> done = new ArrayList<>();
    private final List<Runnable> turns = new ArrayList<>();
    private final SerialLoop loop = new SerialLoop(turns::add, () -> done.add("settled"));

    /** A burst of events is settled once. */
    @Test
    void burstIsSettledOnce() {
        loop.post("one", () -> done.add("one"));
        loop.post("two", () -> done.add("two"));
        assertThat(turns).hasSize(1);
        turns.remove(0).run();
        assertThat(done).containsExactly("one", "two", "settled");
    }

    /** An Error in an event costs that event: those after it run, and so does the loop when the next one comes. */
    @Test
    void errorDoesNotStopTheLoop() {
        loop.post("broken", () -> {
            throw new StackOverflowError("planted");
        });
        loop.post("after it", () -> done.add("after it"));
        turns.remove(0).run();
        assertThat(done).containsExactly("after it", "settled");
        loop.post("later", () -> done.add("later"));
        assertThat(turns).hasSize(1);
        turns.remove(0).run();
        assertThat(done).endsWith("later", "settled");
    }

    /** Nor does an Error while the events are acted on. */
    @Test
    void errorWhileSettlingDoesNotStopTheLoop() {
        List<Runnable> later = new ArrayList<>();
        SerialLoop failing = new SerialLoop(later::add, () -> {
            throw new NoClassDefFoundError("planted");
        });
        failing.post("one", () -> done.add("one"));
        later.remove(0).run();
        failing.post("two", () -> done.add("two"));
        assertThat(later).hasSize(1);
        later.remove(0).run();
        assertThat(done).containsExactly("one", "two");
    }
}
