package org.daqfabric.impl.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.eclipse.jdt.annotation.Nullable;
import org.junit.jupiter.api.Test;

/** A member begins when it is certain to be the only active one, and stops when it is not: two are never active. */
class LeadershipTest {
    private final SharedStore store = new SharedStore();
    private final Node one = new Node(1);
    private final Node two = new Node(2);
    private long now;

    /** A member driven by the test, which records the calls of its role. */
    private final class Node implements ActiveRole {
        private final List<String> calls = new ArrayList<>();
        private final Leadership leadership;
        private boolean cut;
        private @Nullable Error fault;

        Node(int number) {
            leadership = new Leadership(new Member("member-" + number, "10.0.0." + number, 3), store.of(this), this,
                () -> now, () -> Instant.EPOCH);
        }

        @Override
        public void begin() {
            calls.add("begin");
            throwFault();
        }

        @Override
        public void pause() {
            calls.add("pause");
        }

        @Override
        public void resume() {
            calls.add("resume");
            throwFault();
        }

        private void throwFault() {
            if (fault != null) {
                throw fault;
            }
        }

        @Override
        public CompletionStage<Void> end() {
            calls.add("end");
            return CompletableFuture.completedFuture(null);
        }
    }

    /** The replicated store: a member that is cut off gets no answer, all others see every change. */
    private final class SharedStore {
        private Optional<LeaseTerm> term = Optional.empty();

        LeaseStore of(Node node) {
            return new LeaseStore() {
                @Override
                public CompletionStage<Optional<LeaseTerm>> claim(
                        Function<Optional<LeaseTerm>, Optional<LeaseTerm>> decide) {
                    if (node.cut) {
                        return CompletableFuture.failedFuture(new IllegalStateException("no majority"));
                    }
                    decide.apply(term).ifPresent(next -> write(Optional.of(next)));
                    return CompletableFuture.completedFuture(term);
                }

                @Override
                public CompletionStage<Void> release(String session) {
                    if (!node.cut && term.filter(held -> held.session().equals(session)).isPresent()) {
                        write(Optional.empty());
                    }
                    return CompletableFuture.completedFuture(null);
                }
            };
        }

        private void write(Optional<LeaseTerm> next) {
            term = next;
            for (Node node : List.of(one, two)) {
                if (!node.cut) {
                    node.leadership.saw(next);
                }
            }
        }
    }

    /** With no member before it, there is nothing to wait for. */
    @Test
    void firstMemberBeginsAtOnce() {
        one.leadership.tick();
        one.leadership.tick();
        assertThat(one.calls).containsExactly("begin");
        assertThat(one.leadership.maySend()).isTrue();
        assertThat(two.leadership.maySend()).isFalse();
        assertThat(two.leadership.standby()).isEqualTo("member-2 stands by: ask member-1 at 10.0.0.1, which is active");
    }

    /** After an orderly stop, the next member need not wait. */
    @Test
    void orderlyHandOverIsImmediate() {
        one.leadership.tick();
        one.leadership.tick();
        one.leadership.close();
        assertThat(one.calls).containsExactly("begin", "end");
        two.leadership.tick();
        two.leadership.tick();
        assertThat(two.calls).containsExactly("begin");
        assertThat(one.leadership.maySend()).isFalse();
    }

    /** A member that is cut off stops before another begins, although nothing tells it to. */
    @Test
    void cutOffMemberStopsBeforeAnotherBegins() {
        one.leadership.tick();
        one.leadership.tick();
        one.cut = true;
        two.leadership.tick();
        Duration stopped = advanceUntil(() -> !one.leadership.maySend());
        assertThat(one.calls).containsExactly("begin", "pause");
        assertThat(two.calls).isEmpty();
        Duration began = advanceUntil(two.leadership::maySend);
        assertThat(stopped).isLessThanOrEqualTo(Lease.LENGTH);
        assertThat(began).isPositive();
        assertThat(two.calls).containsExactly("begin");

        one.cut = false;
        tick();
        assertThat(one.calls).containsExactly("begin", "pause", "end");
        assertThat(one.leadership.maySend()).isFalse();
        assertThat(two.leadership.maySend()).isTrue();
    }

    /** A temporary outage of the store costs a pause and nothing more. */
    @Test
    void memberResumesWhenNoOtherTookOver() {
        one.leadership.tick();
        one.leadership.tick();
        one.cut = true;
        advanceUntil(() -> !one.leadership.maySend());
        one.cut = false;
        tick();
        assertThat(one.calls).containsExactly("begin", "pause", "resume");
        assertThat(one.leadership.maySend()).isTrue();
    }

    /** A member that cannot do its part leaves it to another, and tries again later. */
    @Test
    void memberThatCannotBeginGivesTheLeaseBack() {
        one.fault = new NoClassDefFoundError("org/daqfabric/Missing");
        one.leadership.tick();
        one.leadership.tick();
        assertThat(one.calls).containsExactly("begin", "end");
        assertThat(one.leadership.maySend()).isFalse();
        tick();
        tick();
        assertThat(two.calls).containsExactly("begin");
        assertThat(two.leadership.maySend()).isTrue();

        two.leadership.close();
        one.fault = null;
        assertThat(advanceUntil(one.leadership::maySend)).isLessThanOrEqualTo(Leadership.BARRED);
        assertThat(one.calls).containsExactly("begin", "end", "begin");
    }

    /** The same after a pause. */
    @Test
    void memberThatCannotContinueGivesTheLeaseBack() {
        one.leadership.tick();
        one.leadership.tick();
        one.cut = true;
        one.fault = new NoClassDefFoundError("org/daqfabric/Missing");
        advanceUntil(() -> !one.leadership.maySend());
        one.cut = false;
        tick();
        assertThat(one.calls).containsExactly("begin", "pause", "resume", "end");
        advanceUntil(two.leadership::maySend);
        assertThat(one.leadership.maySend()).isFalse();
    }

    private Duration advanceUntil(BooleanSupplier condition) {
        long from = now;
        while (!condition.getAsBoolean()) {
            assertThat(now - from).isLessThan(Duration.ofMinutes(1).toNanos());
            tick();
        }
        return Duration.ofNanos(now - from);
    }

    private void tick() {
        now += Leadership.TICK.toNanos();
        one.leadership.tick();
        two.leadership.tick();
    }
}
