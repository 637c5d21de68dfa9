package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.engine.TestFabrics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every request to a fabric is answered, also when its loop ends. */
class RequestsTest {
    private final World world = new World(1);
    private final FabricSpec spec = TestFabrics.regular("tiny", 1, 2, 1, 1, 1, 1);

    @BeforeEach
    void fabricIsUp() {
        world.configure(spec);
        world.settle();
    }

    /** Two rebalances in one burst of events are both answered. */
    @Test
    void bothOfTwoRebalancesAreAnswered() {
        world.storing = new CompletableFuture<>();
        world.burst(() -> {
            var first = world.manager.rebalance(spec.name(), OptionalInt.empty()).toCompletableFuture();
            var second = world.manager.rebalance(spec.name(), OptionalInt.empty()).toCompletableFuture();
            CompletableFuture.allOf(first, second).thenRun(() -> world.storeFails = true);
        });
        assertThat(world.storeFails).as("both are answered").isTrue();
    }

    /** A verify that waits for switches is answered when its fabric is removed. */
    @Test
    void verifyOfARemovedFabricIsAnswered() {
        var verify = world.manager.inspect(spec.name(), Set.of(), false).toCompletableFuture();
        world.manager.fabricRemoved(spec.name());
        assertThat(verify).isCompletedExceptionally();
        assertThatThrownBy(verify::join).hasMessageContaining("fabric tiny has just been configured or removed");
    }

    /** A verify is answered when another member of the cluster becomes active. */
    @Test
    void verifyIsAnsweredWhenTheLeaseIsLost() {
        var verify = world.manager.inspect(spec.name(), Set.of(), false).toCompletableFuture();
        world.manager.deactivate();
        assertThatThrownBy(verify::join).hasCauseInstanceOf(StandbyException.class);
    }

    /** A request without an answer fails after two minutes and names what it was. */
    @Test
    void requestWithoutAnswerFailsAtItsLimit() {
        CompletableFuture<Integer> request = new Requests((delay, task) ->
            world.alarms.add(new World.Alarm(world.now.plus(delay), task))).open("fabric tiny: rebalance");
        world.pass(Requests.LIMIT.minus(Duration.ofSeconds(1)));
        assertThat(request).isNotDone();
        world.pass(Duration.ofSeconds(1));
        assertThatThrownBy(request::join).hasCauseInstanceOf(TimeoutException.class)
            .hasMessageContaining("fabric tiny: rebalance: no answer within 120 s");
    }
}
