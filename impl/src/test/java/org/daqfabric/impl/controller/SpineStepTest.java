package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.PacketPath;
import org.daqfabric.impl.engine.trace.Trace;
import org.daqfabric.impl.memory.Knowledge;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lost links: other spines of the plane, or the next plane, take their load at once, and balance comes after that. */
class SpineStepTest {
    private static final double TINY = 1e-9;

    private final World world = new World(new MemoryNetwork(new Random(1), Set.of("system", "daqring")));
    private final FabricSpec spec = TestFabrics.prototype();
    private final Topology topology = new Topology(spec);
    private final Segment first = World.link(spec, "leaf-1-1", "spine-1-1");
    private final Segment second = World.link(spec, "leaf-2-1", "spine-2-1");
    private Placement before;

    @BeforeEach
    void fabricRuns() {
        world.configure(spec);
        world.pass(Duration.ofSeconds(30));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        before = world.stored.get(spec.name()).placement();
    }

    /** The first step changes nothing but leaves of the plane, and waits for no store and no daqring. */
    @Test
    void firstStepTouchesOnlyThePlane() {
        Set<String> touched = new TreeSet<>();
        world.network.watch(new MemoryNetwork.Watcher() {
            @Override
            public void after(String switchName, Object change, Knowledge sentWith) {
                if (!isRepaired()) {
                    touched.add(switchName);
                }
            }
        });
        world.storing = new CompletableFuture<>();
        world.network.carrier(first, false);
        world.settle();
        assertThat(isRepaired()).isTrue();
        assertThat(touched).containsExactly("leaf-1-1", "leaf-1-2");
        assertThat(state().lastRepair().orElseThrow().movedDcms()).as("those of the pod").isEqualTo(6);
        assertThat(world.stored.get(spec.name()).placement()).isEqualTo(before);
        assertThat(state().lastRebalanced()).isEmpty();
        assertThat(world.phase(spec)).isEqualTo(Phase.PROGRAMMING);
        assertThat(world.served(topology)).isEqualTo(World.possible(spec, world.network.down()));
    }

    /** Without a leaf the next plane is taken, by groups of edge switches; no DCM moves before the second step. */
    @Test
    void nextPlaneIsTakenWithoutALeaf() {
        world.storing = new CompletableFuture<>();
        topology.segments("leaf-1-1").forEach(link -> world.network.carrier(link, false));
        int messages = world.network.messages();
        world.settle();
        assertThat(isRepaired()).isTrue();
        assertThat(world.network.messages() - messages).as("not one for each switch and DCM").isLessThan(
            topology.dcms().size() * topology.edges().size() / 4);
        assertThat(state().lastRepair().orElseThrow().movedDcms()).isZero();
        assertThat(world.stored.get(spec.name()).placement()).isEqualTo(before);
        assertThat(world.served(topology)).isEqualTo(World.possible(spec, world.network.down()));
        world.storing.complete(null);
        world.pass(Duration.ofSeconds(2));
        assertThat(state().lastRebalanced().orElseThrow().movedDcms()).isPositive();
        assertThat(world.served(topology)).isEqualTo(World.possible(spec, world.network.down()));
    }

    /** Between the steps packets pass no daqring at the spine that has taken them, and that of their leaf as always. */
    @Test
    void leavesLimitRatesBetweenTheSteps() {
        assertThat(rings()).isEqualTo(Map.of(List.of("spine-1-1", "leaf-1-1"), 6L,
            List.of("spine-1-2", "leaf-1-1"), 6L, List.of("spine-2-1", "leaf-2-1"), 6L,
            List.of("spine-2-2", "leaf-2-1"), 6L));
        world.storing = new CompletableFuture<>();
        world.network.carrier(first, false);
        world.settle();
        assertThat(isRepaired()).isTrue();
        assertThat(rings()).isEqualTo(Map.of(List.of("leaf-1-1"), 6L, List.of("spine-1-2", "leaf-1-1"), 6L,
            List.of("spine-2-1", "leaf-2-1"), 6L, List.of("spine-2-2", "leaf-2-1"), 6L));
    }

    /** Switches with a daqring that packets from the other pod to DCMs of pod 1 pass, each with the number of DCMs. */
    private Map<List<String>, Long> rings() {
        Trace trace = new Trace(topology, world.network.numbers(), world.network.programs(), world.network.down());
        return topology.endpoints().values().stream().filter(each -> each.isDcm() && each.pod() == 1)
            .map(dcm -> trace.follow("ros-2-01", dcm.address()).hops().stream()
                .filter(hop -> Daqrings.addressOf(hop.outName()).isPresent()).map(PacketPath.Hop::switchName).toList())
            .collect(Collectors.groupingBy(passed -> passed, Collectors.counting()));
    }

    /** The second step brings the DCMs where a repair of one step would. */
    @Test
    void balanceFollows() {
        world.network.carrier(first, false);
        world.settle();
        assertBalanced(first);
        FabricState.Rebalanced step = state().lastRebalanced().orElseThrow();
        FabricState.Repair repair = state().lastRepair().orElseThrow();
        assertThat(step.cause()).isEqualTo(repair.cause()).contains(first.id().toString());
        assertThat(step.begun()).isAfterOrEqualTo(repair.confirmed().orElseThrow());
        assertThat(step.movedDcms()).isPositive();
        assertThat(step.messages()).isPositive();
        world.pass(Following.FOLLOWS);
        assertThat(world.phase(spec)).isEqualTo(Phase.DEGRADED);
        assertThat(world.notifications.texts("rebalanced")).singleElement().asString()
            .contains(step.movedDcms() + " DCMs moved");
    }

    /** A store that does not take the placement keeps the second step for two seconds. */
    @Test
    void balanceIsInForceUnstored() {
        world.storing = new CompletableFuture<>();
        world.network.carrier(first, false);
        world.pass(DecisionStorage.PATIENCE.minusMillis(100));
        assertThat(state().unstoredSince()).isEmpty();
        world.pass(Duration.ofMillis(200));
        assertThat(state().unstoredSince()).isPresent();
        assertThat(state().lastRebalanced().orElseThrow().confirmed()).isPresent();
        assertThat(state().capacity().bandwidth()).isCloseTo(bandwidth(expected(first), first), within(TINY));
        world.storing = CompletableFuture.completedFuture(null);
        world.pass(Duration.ofSeconds(12));
        assertBalanced(first);
    }

    /** A cut during the second step is repaired before that goes on, and both lead to one placement. */
    @Test
    void cutDuringBalanceGoesFirst() {
        CompletableFuture<Void> storing = new CompletableFuture<>();
        world.storing = storing;
        world.network.carrier(first, false);
        world.settle();
        assertThat(isRepaired()).isTrue();
        world.network.carrier(second, false);
        world.settle();
        assertThat(state().lastRepair().orElseThrow().cause()).contains(second.id().toString());
        assertThat(isRepaired()).isTrue();
        assertThat(state().lastRebalanced()).as("what was overtaken is not told").isEmpty();
        world.storing = CompletableFuture.completedFuture(null);
        storing.complete(null);
        world.pass(Duration.ofSeconds(2));
        assertBalanced(first, second);
    }

    /** A controller that starts between the steps has read what was in force before them, and decides the same. */
    @Test
    void nextControllerTakesTheSecondStep() {
        world.network.watch(new PairGuard(world, spec, () -> ""));
        world.storing = new CompletableFuture<>();
        world.network.carrier(first, false);
        world.settle();
        world.manager.close();
        world.storing = CompletableFuture.completedFuture(null);
        world.start();
        world.network.reconnect();
        world.manager.fabricChanged(spec);
        world.pass(Duration.ofSeconds(20));
        assertThat(world.stored.get(spec.name()).placement()).isEqualTo(expected(first));
        assertThat(world.served(topology)).isEqualTo(World.possible(spec, world.network.down()));
    }

    /** A link that returns between the steps leaves everything as it was. */
    @Test
    void linkThatReturnsBetweenTheSteps() {
        CompletableFuture<Void> storing = new CompletableFuture<>();
        world.storing = storing;
        world.network.carrier(first, false);
        world.settle();
        world.network.carrier(first, true);
        world.storing = CompletableFuture.completedFuture(null);
        storing.complete(null);
        world.pass(Duration.ofSeconds(130));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(state().capacity().bandwidth()).isCloseTo(state().capacity().nominal(), within(TINY));
    }

    /** A leaf that refuses the first step delays the second for a second. */
    @Test
    void refusingLeafDelaysBalanceForASecond() {
        world.network.refuse("leaf-1-2", 1000);
        world.network.carrier(first, false);
        world.pass(SpineStep.PATIENCE.minusMillis(100));
        assertThat(world.stored.get(spec.name()).placement()).isEqualTo(before);
        world.pass(Duration.ofMillis(200));
        assertThat(world.stored.get(spec.name()).placement()).isEqualTo(expected(first));
    }

    /** After the loss of an edge link the DCMs of the rack move in the second step. */
    @Test
    void edgeLinkIsBalanced() {
        Segment link = World.link(spec, "rack-1-01", "leaf-1-1");
        world.storing = new CompletableFuture<>();
        world.network.carrier(link, false);
        world.settle();
        assertThat(isRepaired()).isTrue();
        assertThat(state().lastRepair().orElseThrow().movedDcms()).isZero();
        world.storing.complete(null);
        world.settle();
        assertBalanced(link);
    }

    private void assertBalanced(Segment... down) {
        assertThat(isRepaired()).isTrue();
        assertThat(state().lastRebalanced().orElseThrow().confirmed()).isPresent();
        assertThat(state().unstoredSince()).isEmpty();
        assertThat(world.stored.get(spec.name()).placement()).isEqualTo(expected(down));
        assertThat(state().capacity().bandwidth()).isCloseTo(bandwidth(expected(down), down), within(TINY));
        assertThat(world.served(topology)).isEqualTo(World.possible(spec, world.network.down()));
    }

    /** The placement that repairs the loss of links in one step. */
    private Placement expected(Segment... down) {
        return Placer.place(topology, unusable(down), before, Scope.REPAIR);
    }

    private double bandwidth(Placement placement, Segment... down) {
        return Loads.of(topology, unusable(down), placement).bandwidth();
    }

    private static UnusableLinks unusable(Segment... down) {
        return new UnusableLinks(Arrays.stream(down).map(Segment::id).collect(Collectors.toSet()));
    }

    private FabricState state() {
        return world.states.get(spec.name());
    }

    private boolean isRepaired() {
        return state().lastRepair().filter(repair -> repair.confirmed().isPresent()).isPresent();
    }
}
