package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.SharedNodes;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.check.FabricChecks;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes that run several switches, of one fabric or two, with daqrings for the same addresses. */
class SeveralBridgesTest {
    private static final int CASES = 40;

    /** Every pair is served however the switches are spread over nodes, and no two ports of a node have one name. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void switchesShareNodes(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = SharedNodes.of(TestFabrics.generated(random), random, 1 + random.nextInt(4));
            World world = world(seed + number);
            world.configure(spec);
            world.settle();
            assertServed(world, spec, "seed " + seed + " case " + number);
        }
    }

    /** A fabric comes to the nodes of another one with the same addresses, and leaves again, without touching it. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void fabricsShareNodes(long seed) {
        for (int number = 0; number < CASES; number++) {
            String when = "seed " + seed + " case " + number;
            Random random = new Random(seed + number);
            FabricSpec spec = SharedNodes.of(TestFabrics.generated(random), random, 1 + random.nextInt(4));
            FabricSpec twin = SharedNodes.twin(spec, "twin");
            assertThat(FabricChecks.check(List.of(spec, twin))).as("%s: what both contradict", when)
                .hasSize(FabricChecks.check(spec).size() + FabricChecks.check(twin).size());
            World world = world(seed + number);
            world.configure(spec);
            world.settle();
            Map<String, Bridge> bridges = bridges(world, spec);
            Map<String, Program> programs = world.network.programs();
            world.configure(twin);
            world.settle();
            assertServed(world, spec, when);
            assertServed(world, twin, when);
            world.manager.fabricRemoved(twin.name());
            world.pass(Duration.ofSeconds(10));
            assertServed(world, spec, when);
            assertThat(bridges(world, spec)).as(when).isEqualTo(bridges);
            assertThat(world.network.programs()).as(when).isEqualTo(programs);
        }
    }

    /** One switch of a node leaves the fabric; the other switches of the node are served as before. */
    @Test
    void oneBridgeOfANodeIsRemoved() {
        FabricSpec spec = SharedNodes.of(TestFabrics.regular("tiny", 1, 2, 1, 1, 1, 2), new Random(1), 1);
        World world = world(1);
        world.configure(spec);
        world.settle();
        FabricSpec less = new FabricSpec(spec.name(), spec.planes().stream().map(plane ->
            new Plane(plane.id(), plane.spines().subList(0, 1), plane.leaves())).toList(),
            spec.pods(), spec.switches().stream().filter(sw -> !sw.name().equals("spine-1-2")).toList(),
            spec.links().stream().filter(link -> !link.peer().switchName().equals("spine-1-2")).toList(),
            spec.policy());
        world.configure(less);
        world.pass(Following.FOLLOWS);
        assertServed(world, less, "without a spine");
        assertThat(world.network.bridge("spine-1-2")).isEmpty();
    }

    /** A fabric from before names of daqrings had the bridge's name runs on, and nothing is sent to its switches. */
    @Test
    void daqringsOfARunningFabricKeepTheirNames() {
        World world = world(1);
        FabricSpec spec = TestFabrics.prototype();
        world.network.build(new Topology(spec));
        Decision decided = decisionOf(spec);
        SortedMap<String, SortedMap<String, Integer>> plain = new TreeMap<>();
        decided.portNumbers().numbers().forEach((switchName, ports) -> {
            SortedMap<String, Integer> renamed = new TreeMap<>();
            ports.forEach((port, at) -> renamed.put(port.replace("-br-daq", ""), at));
            plain.put(switchName, renamed);
        });
        Decision before = new Decision(decided.placement(), new PortNumbers(plain), decided.identities(),
            decided.configuration());
        assertThat(before).isNotEqualTo(decided);
        world.stored.put(spec.name(), before);
        world.configure(spec);
        world.settle();
        assertThat(world.stored.get(spec.name())).isEqualTo(before);
        assertServed(world, spec, "with plain names");

        int messages = world.network.messages();
        long changes = world.network.changes();
        world.manager.close();
        world.start();
        world.network.reconnect();
        world.manager.fabricChanged(spec);
        world.pass(Duration.ofSeconds(10));
        assertThat(world.network.messages()).isEqualTo(messages);
        assertThat(world.network.changes()).isEqualTo(changes);
        assertThat(world.stored.get(spec.name())).isEqualTo(before);
    }

    private static Decision decisionOf(FabricSpec spec) {
        World world = world(1);
        world.configure(spec);
        world.settle();
        return world.stored.get(spec.name());
    }

    private static World world(long seed) {
        return new World(new MemoryNetwork(new Random(seed), Set.of("system", "daqring")));
    }

    private static Map<String, Bridge> bridges(World world, FabricSpec spec) {
        Map<String, Bridge> bridges = new TreeMap<>();
        spec.switches().forEach(sw -> bridges.put(sw.name(), world.network.bridge(sw.name()).orElseThrow()));
        return bridges;
    }

    private static void assertServed(World world, FabricSpec spec, String when) {
        assertThat(world.served(new Topology(spec))).as(when).isEqualTo(World.possible(spec, Set.of()));
        assertThat(world.phase(spec)).as("%s: %s", when, world.states.get(spec.name()).switches())
            .isEqualTo(Phase.CONVERGED);
        Map<String, String> switchOf = new HashMap<>();
        for (Switch sw : spec.switches()) {
            world.network.bridge(sw.name()).orElseThrow().ports().keySet().forEach(port ->
                assertThat(switchOf.put(sw.systemId() + " " + port, sw.name())).as(when + ": " + port).isNull());
        }
    }
}
