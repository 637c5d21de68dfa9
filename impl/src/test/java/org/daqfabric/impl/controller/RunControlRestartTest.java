package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.api.run.Answer;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.RunState;
import org.daqfabric.impl.runcontrol.Request;
import org.daqfabric.impl.runcontrol.UnansweredException;
import org.junit.jupiter.api.Test;

/** Run control over restarts, and with a store that fails. */
class RunControlRestartTest extends AbstractRunControlTest {
    /** A restarted controller continues every partition in its stored state. */
    @Test
    void restartKeepsTheStateOfAPartition() {
        for (RunState state : List.of(RunState.PREPARED, RunState.READY, RunState.RUNNING, RunState.IDLE)) {
            prepare("det", ALL, ALL, 1);
            if (state == RunState.READY || state == RunState.RUNNING) {
                arm("det");
            }
            if (state == RunState.RUNNING) {
                start("det", 9);
            }
            if (state == RunState.IDLE) {
                ask(new Request.Abort(id(), "det"));
            }
            Partition before = partition("det");
            restart();
            Partition after = partition("det");
            assertThat(after).as("%s", state).isEqualTo(before);
            assertThat(world.runs.frozenBy(spec.name()).isPresent()).isEqualTo(state == RunState.RUNNING);
            ask(new Request.Abort(id(), "det"));
            assertThat(partition("det").state()).isEqualTo(RunState.IDLE);
        }
    }

    private void restart() {
        world.start();
        world.network.reconnect();
        world.manager.fabricChanged(spec);
        world.settle();
        world.pass(Duration.ofSeconds(10));
    }

    /** A fabric stays frozen over a restart, and a link that failed before it stays held back. */
    @Test
    void fabricStaysFrozenOverARestart() {
        runs("det", 9);
        world.network.carrier(leafToSpine(), false);
        world.settle();
        restart();
        world.network.carrier(leafToSpine(), true);
        world.pass(Duration.ofMinutes(10));
        assertThat(world.isUsed(spec, leafToSpine())).isFalse();
        assertThat(world.manager.rebalance(spec.name(), OptionalInt.empty()).toCompletableFuture())
            .isCompletedExceptionally();
        stop("det");
        world.settle();
        assertThat(world.isUsed(spec, leafToSpine())).isTrue();
    }

    /** A restarted controller completes an operation that was in progress. */
    @Test
    void restartedControllerCompletesAnOperation() {
        world.network.isolate(topology.leaf(1, 1));
        var answer = world.runs.ask(new Request.Prepare("p", "det", Optional.empty(), "",
            ALL, names(topology.endpoints().values().stream().filter(host -> host.isDcm()).findFirst().orElseThrow()
                .name()), 0)).toCompletableFuture();
        assertThat(answer).isCompleted();
        assertThat(world.partitions.stored.get("det").works()).isTrue();
        world.network.reconnect(topology.leaf(1, 1));
        restart();
        assertThat(partition("det").operation().orElseThrow().status()).isEqualTo(Operation.Status.DONE);
    }

    /** A request that cannot be stored fails and has no effect. */
    @Test
    void requestThatCannotBeStoredHasNoEffect() {
        prepare("det", ALL, ALL, 0);
        arm("det");
        world.partitions.fails = true;
        var answer = world.runs.ask(new Request.Start(id(), "det", 1)).toCompletableFuture();
        world.settle();
        assertThat(answer).isCompletedExceptionally();
        assertThat(partition("det").state()).isEqualTo(RunState.READY);
        assertThat(world.runs.frozenBy(spec.name())).isEmpty();
        world.partitions.fails = false;
        assertThat(start("det", 1).refusal()).isEmpty();
    }

    /** A request that fails though the store has taken it is not carried out by the next controller either. */
    @Test
    void requestThatIsStoredAndFailsHasNoEffect() {
        prepare("det", ALL, ALL, 0);
        arm("det");
        world.partitions.takesAndFails = true;
        var answer = world.runs.ask(new Request.Start(id(), "det", 1)).toCompletableFuture();
        world.settle();
        assertThat(answer).isCompletedExceptionally();
        assertThat(world.partitions.takesAndFails).as("the store was asked").isFalse();
        assertThat(world.partitions.stored.get("det").state()).isEqualTo(RunState.READY);
        restart();
        assertThat(partition("det").state()).isEqualTo(RunState.READY);
    }

    /**
     * Whoever waits for an answer when run control ends gets one then: for a request that is being stored, for one
     * behind it, and for one that comes later.
     */
    @Test
    void requestsThatAreOpenAtTheEndAreAnswered() {
        world.partitions.storing = new CompletableFuture<>();
        var open = new ArrayList<>(List.of(prepareLater("det"), prepareLater("next")));
        assertThat(open).noneMatch(CompletableFuture::isDone);
        world.runs.close();
        world.settle();
        open.add(prepareLater("late"));
        world.settle();
        assertThat(open).allSatisfy(answer -> assertThatThrownBy(answer::join)
            .hasCauseInstanceOf(UnansweredException.class).hasMessageContaining("with the same request-id"));
    }

    private CompletableFuture<Answer> prepareLater(String partition) {
        return world.runs.ask(new Request.Prepare(id(), partition, Optional.empty(), "", ALL, ALL, 0))
            .toCompletableFuture();
    }

    /** A store that does not answer delays other requests for ten seconds at most. */
    @Test
    void storeThatStallsDoesNotStopRunControl() {
        world.partitions.storing = new CompletableFuture<>();
        CompletableFuture<Void> stalled = world.partitions.storing;
        Request.Prepare request = new Request.Prepare(id(), "det", Optional.empty(), "physics", ALL, ALL, 0);
        var first = world.runs.ask(request).toCompletableFuture();
        world.pass(Duration.ofMillis(9900));
        assertThat(first).isNotDone();
        world.pass(Duration.ofMillis(200));
        assertThatThrownBy(first::join).hasMessageContaining("ask again, with the same request-id");
        world.partitions.storing = CompletableFuture.completedFuture(null);
        assertThat(prepare("other", ALL, ALL, 0).works()).isTrue();
        stalled.complete(null);
        world.settle();
        assertThat(world.partitions.stored.keySet()).as("a request that was given up is not carried out")
            .containsExactly("other");
    }
}
