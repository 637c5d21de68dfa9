package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A store that does not take the second step of a repair does not keep it from traffic for more than two seconds; here
 * of links of racks, after which DCMs move.
 */
class UnstoredRepairTest {
    private static final Duration BEFORE = DecisionStorage.PATIENCE.minusMillis(100);
    private static final Duration MORE = Duration.ofMillis(200);

    private final World world = new World(new MemoryNetwork(new Random(1), Set.of("system", "daqring")));
    private final FabricSpec spec = TestFabrics.prototype();
    private final Segment first = World.link(spec, "rack-1-01", "leaf-1-1");
    private final Segment second = World.link(spec, "rack-2-01", "leaf-2-2");
    private Decision before;

    @BeforeEach
    void fabricRuns() {
        world.configure(spec);
        world.pass(Duration.ofSeconds(30));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        before = world.stored.get(spec.name());
    }

    /** A refused repair comes into force after two seconds, and is stored as soon as the store takes it. */
    @Test
    void refusedRepairComesIntoForce() {
        world.storeFails = true;
        world.network.carrier(first, false);
        world.pass(BEFORE);
        assertThat(isRepaired()).as("the first step waits for no store").isTrue();
        assertThat(isBalanced()).as("storing is tried for two seconds").isFalse();
        world.pass(MORE);
        assertInForceUnstored();
        world.storeFails = false;
        world.pass(Duration.ofSeconds(3));
        assertStored();
    }

    /** So does one that the store does not answer; the write is given up after ten seconds and tried again. */
    @Test
    void unansweredRepairComesIntoForce() {
        world.storing = new CompletableFuture<>();
        int saves = world.saves;
        world.network.carrier(first, false);
        world.pass(BEFORE);
        assertThat(isBalanced()).isFalse();
        world.pass(MORE);
        assertInForceUnstored();
        world.pass(Duration.ofSeconds(60));
        assertInForceUnstored();
        assertThat(world.saves - saves).as("one write at a time, each given up after ten seconds").isBetween(5, 7);
        world.storing = CompletableFuture.completedFuture(null);
        world.pass(Duration.ofSeconds(12));
        assertStored();
    }

    /** A write that was given up and takes effect after a newer one is written over. */
    @Test
    void lateAnswerIsWrittenOver() {
        CompletableFuture<Void> late = new CompletableFuture<>();
        world.storing = late;
        world.network.carrier(first, false);
        world.pass(DecisionWriter.LIMIT.minusSeconds(1));
        world.storing = CompletableFuture.completedFuture(null);
        world.network.carrier(second, false);
        world.pass(Duration.ofSeconds(5));
        assertStored();
        Placement newest = world.stored.get(spec.name()).placement();
        int saves = world.saves;
        late.complete(null);
        world.pass(Duration.ofSeconds(1));
        assertThat(world.saves).isEqualTo(saves + 1);
        assertThat(world.stored.get(spec.name()).placement()).isEqualTo(newest);
    }

    /** While the store is known to fail the next repair waits for nothing. */
    @Test
    void nextRepairDoesNotWaitAgain() {
        world.storing = new CompletableFuture<>();
        world.network.carrier(first, false);
        world.pass(BEFORE.plus(MORE));
        world.network.carrier(second, false);
        world.pass(MORE);
        assertInForceUnstored();
    }

    /** A new configuration is never in force unstored, and does not keep the repair of the one in force. */
    @Test
    void configurationWaitsAndRepairsDoNot() {
        world.storing = new CompletableFuture<>();
        FabricSpec next = TestFabrics.regular(spec.name(), 2, 3, 2, 3, 3, 8);
        world.configure(next);
        world.pass(Duration.ofSeconds(5));
        assertThat(world.states.get(spec.name()).switches()).hasSize(spec.switches().size());
        world.network.carrier(first, false);
        world.pass(MORE);
        assertThat(isRepaired()).isTrue();
        assertThat(world.states.get(spec.name()).switches()).hasSize(spec.switches().size());
        world.storing = CompletableFuture.completedFuture(null);
        world.pass(Duration.ofSeconds(40));
        assertThat(world.states.get(spec.name()).switches()).hasSize(next.switches().size());
        assertThat(world.states.get(spec.name()).unstoredSince()).isEmpty();
    }

    /** Without the lease nothing comes into force: another member may have decided by now. */
    @Test
    void nothingComesIntoForceWithoutTheLease() {
        world.storing = new CompletableFuture<>();
        world.network.carrier(first, false);
        world.pass(BEFORE);
        world.holdsLease = false;
        int messages = world.network.messages();
        world.pass(Duration.ofSeconds(10));
        assertThat(isBalanced()).isFalse();
        assertThat(world.network.messages()).isEqualTo(messages);
    }

    /**
     * A controller that starts meanwhile reads the older decision, and goes from what the switches hold to what it
     * decides without breaking a pair.
     */
    @Test
    void newControllerTakesOverFromAnOlderDecision() {
        PairGuard guard = new PairGuard(world, spec, () -> "");
        world.network.watch(guard);
        world.storing = new CompletableFuture<>();
        world.network.carrier(first, false);
        world.pass(Duration.ofSeconds(5));
        world.network.carrier(second, false);
        world.pass(Duration.ofSeconds(5));
        assertInForceUnstored();
        world.network.carrier(first, true);
        world.pass(Duration.ofSeconds(5));
        world.manager.close();
        world.start();
        world.network.reconnect();
        world.manager.fabricChanged(spec);
        world.pass(Duration.ofSeconds(20));
        assertThat(world.served(new Topology(spec))).isEqualTo(World.possible(spec, world.network.down()));
        world.storing = CompletableFuture.completedFuture(null);
        world.network.carrier(second, true);
        world.pass(Duration.ofSeconds(130));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(world.served(new Topology(spec))).isEqualTo(World.possible(spec, Set.of()));
    }

    /** It takes a failed fabric up within seconds, also if the store refuses everything from its first moment. */
    @Test
    void newControllerRepairsThoughItCannotStore() {
        world.manager.close();
        world.network.carrier(first, false);
        world.storeFails = true;
        world.start();
        world.network.reconnect();
        world.manager.fabricChanged(spec);
        world.pass(Duration.ofSeconds(8));
        assertThat(world.states.get(spec.name()).unstoredSince()).isPresent();
        assertThat(world.served(new Topology(spec))).isEqualTo(World.possible(spec, world.network.down()));
        assertThat(rings(world.network.programs().values().stream())).isNotEmpty();
        world.storeFails = false;
        world.pass(Duration.ofSeconds(8));
        assertThat(world.states.get(spec.name()).unstoredSince()).isEmpty();
    }

    /** The numbers of the daqrings that rules use are stored: nobody gives them to another port. */
    private void assertInForceUnstored() {
        assertThat(isRepaired() && isBalanced()).isTrue();
        assertThat(world.states.get(spec.name()).unstoredSince()).isPresent();
        assertThat(world.phase(spec)).isEqualTo(Phase.DEGRADED);
        assertThat(world.stored.get(spec.name())).isEqualTo(before);
        assertThat(world.served(new Topology(spec))).isEqualTo(World.possible(spec, world.network.down()));
        world.network.programs().forEach((name, program) -> assertThat(before.portNumbers().of(name).values())
            .containsAll(rings(Stream.of(program))));
    }

    private void assertStored() {
        assertThat(isRepaired() && isBalanced()).isTrue();
        assertThat(world.states.get(spec.name()).unstoredSince()).isEmpty();
        assertThat(world.stored.get(spec.name()).placement()).isNotEqualTo(before.placement());
    }

    private boolean isRepaired() {
        return world.states.get(spec.name()).lastRepair().orElseThrow().confirmed().isPresent();
    }

    private boolean isBalanced() {
        return world.states.get(spec.name()).lastRebalanced().filter(step -> step.confirmed().isPresent()).isPresent();
    }

    /** Numbers of the daqrings that rules output to by groups; groups that are only installed ahead do not count. */
    private static List<Integer> rings(Stream<Program> programs) {
        return programs.flatMap(program -> program.rules().values().stream().flatMap(rule -> rule.actions().stream())
                .filter(Action.ToGroup.class::isInstance)
                .map(action -> program.groups().get(((Action.ToGroup) action).id())))
            .flatMap(group -> group.buckets().stream()).flatMap(bucket -> bucket.actions().stream())
            .filter(Action.Output.class::isInstance).map(action -> ((Action.Output) action).port())
            .filter(PortAllocator::isRing).filter(port -> port < 0xff00).toList();
    }
}
