package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A switch out of reach whose links all were down meanwhile may have restarted and hold no rules. */
class SwitchInDoubtTest {
    private static final int FABRICS = 10;
    private static final Duration NOTICED = Duration.ofSeconds(2);

    private World world;
    /** The present case. */
    private String generated;

    private static FabricSpec fabric(Random random) {
        return TestFabrics.regular("doubt", 1 + random.nextInt(3), 1 + random.nextInt(3), 2, 2, 1 + random.nextInt(2),
            1 + random.nextInt(2));
    }

    private void inGeneratedFabrics(long seed, Consumer<Random> test) {
        for (long at = seed; at < seed + FABRICS; at++) {
            generated = "daqfabric.seed=" + at;
            test.accept(new Random(at));
        }
    }

    private void bringUp(FabricSpec spec) {
        world = new World(1);
        world.configure(spec);
        world.pass(Duration.ofSeconds(30));
        assertThat(world.phase(spec)).as(generated).isEqualTo(Phase.CONVERGED);
    }

    private void restartOutOfReach(String name, boolean keepingRules) {
        world.network.kill(name, true);
        world.settle();
        world.network.start(name, keepingRules);
        world.pass(NOTICED);
    }

    /** Whoever has another way takes it, everybody else is said to be cut off, and all is well when it is back. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void restartedOutOfReach(long seed) {
        inGeneratedFabrics(seed, this::restartedOutOfReach);
    }

    private void restartedOutOfReach(Random random) {
        FabricSpec spec = fabric(random);
        Topology topology = new Topology(spec);
        bringUp(spec);
        String name = any(random, List.copyOf(topology.roles().keySet()));
        restartOutOfReach(name, false);
        assertThat(inDoubt(spec)).as(generated).containsExactly(name);
        Set<PortId> without = links(topology, name);
        assertThat(world.served(topology)).as("%s: %s", generated, name).isEqualTo(World.possible(spec, without));
        assertReachableAsServed(spec);
        assertThat(world.states.get(spec.name()).links().stream().filter(link -> without.contains(link.end()))
            .map(link -> link.operState())).containsOnly(OperState.UNKNOWN);

        world.network.reconnect(name);
        world.pass(Duration.ofSeconds(5));
        assertThat(inDoubt(spec)).as(generated).isEmpty();
        assertThat(world.phase(spec)).as(generated).isEqualTo(Phase.CONVERGED);
        assertThat(world.served(topology)).as(generated).isEqualTo(World.possible(spec, Set.of()));
        assertReachableAsServed(spec);
    }

    /** A controller that starts or takes over knows of the doubt, though its links stand; and that it has ended. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void anotherControllerBegins(long seed) {
        inGeneratedFabrics(seed, this::anotherControllerBegins);
    }

    private void anotherControllerBegins(Random random) {
        FabricSpec spec = fabric(random);
        Topology topology = new Topology(spec);
        bringUp(spec);
        String name = any(random, List.copyOf(topology.roles().keySet()));
        restartOutOfReach(name, false);
        assertThat(inDoubt(spec)).as(generated).containsExactly(name);
        Set<PortId> without = links(topology, name);
        for (int start = 0; start < 2; start++) {
            restartController(spec);
            assertThat(inDoubt(spec)).as(generated).containsExactly(name);
            assertThat(world.served(topology)).as("%s: %s", generated, name)
                .isEqualTo(World.possible(spec, without));
            assertReachableAsServed(spec);
        }
        world.network.reconnect(name);
        world.pass(Duration.ofSeconds(5));
        assertThat(inDoubt(spec)).as(generated).isEmpty();
        assertThat(world.phase(spec)).as(generated).isEqualTo(Phase.CONVERGED);
        world.network.isolate(name);
        restartController(spec);
        assertThat(inDoubt(spec)).as(generated).isEmpty();
    }

    private void restartController(FabricSpec spec) {
        world.start(spec);
        world.network.reconnect();
        world.pass(Duration.ofSeconds(10));
    }

    /** What a store refuses is stored as soon as it takes it. */
    @Test
    void aStoreThatRefusesAtFirst() {
        generated = "a store that fails";
        FabricSpec spec = TestFabrics.regular("doubt", 2, 2, 2, 2, 1, 1);
        bringUp(spec);
        String name = new Topology(spec).roles().keySet().iterator().next();
        world.storeFails = true;
        restartOutOfReach(name, false);
        world.storeFails = false;
        world.pass(Duration.ofSeconds(5));
        restartController(spec);
        assertThat(inDoubt(spec)).containsExactly(name);
    }

    /**
     * While something else fails, too, a leaf or spine in doubt may be used where nothing else leads, and DCMs whose
     * packets it drops are said to be cut off; as soon as all have another way again, nobody uses it any more, in a
     * run, too.
     */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void anotherSwitchFailsForAMoment(long seed) {
        inGeneratedFabrics(seed, this::anotherSwitchFailsForAMoment);
    }

    private void anotherSwitchFailsForAMoment(Random random) {
        FabricSpec spec = fabric(random);
        Topology topology = new Topology(spec);
        bringUp(spec);
        List<String> inner = topology.roles().entrySet().stream().filter(each -> isInPlane(each.getValue()))
            .map(Map.Entry::getKey).toList();
        String name = any(random, inner);
        String other = any(random, List.copyOf(topology.roles().keySet()).stream().filter(each -> !each.equals(name))
            .toList());
        restartOutOfReach(name, false);
        if (random.nextBoolean()) {
            world.manager.control(spec.name(), new RunDirective(true, 0, Optional.empty()));
            world.settle();
        }
        world.network.freeze(other, true);
        world.pass(NOTICED);
        Set<PortId> withoutBoth = links(topology, name);
        withoutBoth.addAll(links(topology, other));
        assertThat(world.served(topology)).as("%s: %s and %s", generated, name, other)
            .isEqualTo(World.possible(spec, withoutBoth));
        assertReachableAsServed(spec);
        assertThat(inDoubt(spec)).as(generated).contains(name);
        assertThat(world.phase(spec)).as(generated).isNotEqualTo(Phase.CONVERGED);
        world.pass(Duration.ofSeconds(1));
        world.network.freeze(other, false);
        world.pass(NOTICED);
        assertThat(world.served(topology)).as("%s: %s, then %s", generated, name, other)
            .isEqualTo(World.possible(spec, links(topology, name)));
        assertReachableAsServed(spec);
        world.network.reconnect(name);
        world.pass(Duration.ofSeconds(5));
        assertThat(world.served(topology)).as(generated).isEqualTo(World.possible(spec, Set.of()));
    }

    /** One that only stood still for a moment forwards as before, and is used where nothing else leads. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void stoodStillOutOfReach(long seed) {
        inGeneratedFabrics(seed, this::stoodStillOutOfReach);
    }

    private void stoodStillOutOfReach(Random random) {
        FabricSpec spec = fabric(random);
        Topology topology = new Topology(spec);
        bringUp(spec);
        String name = any(random, List.copyOf(topology.roles().keySet()));
        restartOutOfReach(name, true);
        assertThat(inDoubt(spec)).as(generated).containsExactly(name);
        assertThat(world.served(topology)).as("%s: %s", generated, name).isEqualTo(World.possible(spec, Set.of()));
    }

    /** A control network that fails says nothing about switches whose links stand. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void controlNetworkFails(long seed) {
        inGeneratedFabrics(seed, this::controlNetworkFails);
    }

    private void controlNetworkFails(Random random) {
        FabricSpec spec = fabric(random);
        Topology topology = new Topology(spec);
        bringUp(spec);
        Set<String> away = new TreeSet<>();
        topology.roles().keySet().stream().filter(each -> random.nextInt(3) > 0).forEach(away::add);
        away.forEach(world.network::isolate);
        world.pass(Duration.ofSeconds(30));
        assertThat(inDoubt(spec)).as(generated).isEmpty();
        assertThat(world.served(topology)).as(generated).isEqualTo(World.possible(spec, Set.of()));
        assertReachableAsServed(spec);
    }

    private Set<String> inDoubt(FabricSpec spec) {
        return world.states.get(spec.name()).switches().stream().filter(SwitchState::inDoubt).map(SwitchState::name)
            .collect(Collectors.toSet());
    }

    /** The state says of each DCM how many ROS reach it in fact. */
    private void assertReachableAsServed(FabricSpec spec) {
        Topology topology = new Topology(spec);
        Map<String, Integer> served = new TreeMap<>();
        topology.endpoints().values().stream().filter(each -> each.isDcm())
            .forEach(each -> served.put(each.name(), 0));
        world.served(topology).stream().map(pair -> pair.split(" -> ")[1]).filter(served::containsKey)
            .forEach(dcm -> served.merge(dcm, 1, Integer::sum));
        assertThat(world.states.get(spec.name()).placements().stream()
            .collect(Collectors.toMap(DcmPlacement::dcm, DcmPlacement::reachableRos))).as(generated).isEqualTo(served);
    }

    private static boolean isInPlane(Role role) {
        return role instanceof Role.OfLeaf || role instanceof Role.OfSpine;
    }

    private static Set<PortId> links(Topology topology, String name) {
        return topology.segments(name).stream().map(Segment::id).collect(Collectors.toCollection(HashSet::new));
    }

    private static String any(Random random, List<String> names) {
        return names.get(random.nextInt(names.size()));
    }
}
