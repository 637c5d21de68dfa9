package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
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

    /** What a controller that is killed now would not know is not answered; it is when it is stored, if late. */
    @Test
    void rebalanceIsAnsweredWhenItIsStored() {
        FabricSpec prototype = TestFabrics.prototype();
        Policy policy = prototype.policy();
        FabricSpec wide = new FabricSpec(prototype.name(), prototype.planes(), prototype.pods(), prototype.switches(),
            prototype.links(), new Policy(new Policy.Placement(policy.placement().algorithm(), Policy.Return.MANUAL),
                policy.daqring(), policy.protection(), policy.rules(), policy.mtu()));
        World other = new World(2);
        other.configure(wide);
        other.settle();
        Topology topology = new Topology(wide);
        Segment link = topology.between(topology.leaf(1, 1), topology.spines(1).get(1)).get(0);
        other.network.carrier(link, false);
        other.pass(Duration.ofMinutes(1));
        other.network.carrier(link, true);
        other.pass(Duration.ofMinutes(1));
        other.storeFails = true;
        var moved = other.manager.rebalance(wide.name(), OptionalInt.empty()).toCompletableFuture();
        other.pass(Duration.ofSeconds(5));
        assertThat(moved).isNotDone();
        other.storeFails = false;
        other.pass(Duration.ofSeconds(5));
        assertThat(moved).isCompletedWithValueMatching(count -> count > 0);
        assertThat(other.isUsed(wide, link)).isTrue();
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
