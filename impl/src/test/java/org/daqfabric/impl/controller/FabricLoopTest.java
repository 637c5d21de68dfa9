package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole controller against a network in memory, one message at a time. */
class FabricLoopTest {
    private static final int CASES = 40;

    /**
     * Every pair that the links connect is served, from an empty network and after every failure and return of links.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void servesWhatTheLinksAllowAfterEveryChange(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            World world = new World(seed + number);
            FabricSpec spec = TestFabrics.generated(random);
            Topology topology = new Topology(spec);
            world.configure(spec);
            world.settle();
            String when = "seed " + seed + " case " + number;
            assertThat(world.served(topology)).as(when).isEqualTo(World.possible(spec, Set.of()));
            List<Segment> links = links(topology);
            for (int change = 0; change < 6 && !links.isEmpty(); change++) {
                for (int burst = 1 + random.nextInt(2); burst > 0; burst--) {
                    world.network.carrier(links.get(random.nextInt(links.size())), random.nextBoolean());
                    for (int steps = random.nextInt(5); steps > 0; steps--) {
                        world.network.step();
                    }
                }
                world.settle();
                assertThat(world.served(topology)).as("%s change %d", when, change)
                    .isEqualTo(World.possible(spec, world.network.down()));
                // links that failed more than once are held back for a while
                world.pass(Duration.ofMinutes(2), () -> { });
                assertThat(world.phase(spec)).as(when)
                    .isEqualTo(world.network.down().isEmpty() ? Phase.CONVERGED : Phase.DEGRADED);
            }
        }
    }

    /** The error of a switch is in words for operators, without names of classes. */
    @Test
    void errorOfASwitchIsInPlainWords() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.regular("tiny", 1, 2, 1, 1, 1, 1);
        world.network.build(new Topology(spec));
        world.network.failReads("leaf-1-1", 1);
        world.configure(spec);
        world.settle();
        assertThat(world.states.get("tiny").switches()).filteredOn(each -> each.name().equals("leaf-1-1"))
            .first().extracting(FabricState.SwitchState::lastError).isEqualTo("its rules could not be read: not read");
    }

    /** A fabric whose leaves were all down is no new one, whose links are given time to come up. */
    @ParameterizedTest(name = "controller restarted meanwhile: {0}")
    @ValueSource(booleans = {false, true})
    void linkThatIsDownWhenAllLeavesReturnIsNotUsed(boolean restarted) {
        World world = new World(1);
        FabricSpec spec = TestFabrics.regular("tiny", 2, 1, 1, 1, 1, 1);
        Topology topology = new Topology(spec);
        List<String> leaves = spec.planes().stream().flatMap(plane -> plane.leaves().stream()).map(Leaf::switchName)
            .toList();
        world.configure(spec);
        world.pass(Duration.ofMinutes(1));
        world.network.silent(topology.segments("ros-1-01").get(0), true);
        leaves.forEach(leaf -> world.network.freeze(leaf, true));
        world.pass(Duration.ofMinutes(1));
        if (restarted) {
            world.manager.close();
            world.start(spec);
            world.network.reconnect();
            world.pass(Duration.ofMinutes(1));
        }
        leaves.forEach(leaf -> world.network.freeze(leaf, false));
        world.settle();
        assertThat(world.served(topology)).isEqualTo(World.possible(spec, world.network.down()));
    }

    /** A change of the configuration never interrupts a pair that both configurations connect. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void configurationChangeLosesNoPair(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            World world = new World(seed + number);
            FabricSpec full = TestFabrics.generated(random);
            FabricSpec less = without(full, random);
            boolean growing = random.nextBoolean();
            FabricSpec before = growing ? less : full;
            FabricSpec after = growing ? full : less;
            world.network.build(new Topology(full));
            world.configure(before);
            world.settle();
            Set<String> both = World.possible(before, Set.of());
            both.retainAll(World.possible(after, Set.of()));
            Topology cabled = new Topology(full);
            String when = "seed " + seed + " case " + number;
            if (!growing) {
                // a link of an edge switch that is removed fails just before
                links(cabled).stream().filter(link -> less.switches().stream()
                        .noneMatch(kept -> kept.name().equals(link.lower().switchName())))
                    .findFirst().ifPresent(link -> world.network.carrier(link, false));
                for (int steps = random.nextInt(20); steps > 0; steps--) {
                    world.network.step();
                }
            }
            world.configure(after);
            world.pass(Following.FOLLOWS, () -> {
                Set<String> lost = new TreeSet<>(both);
                lost.removeAll(world.served(cabled));
                assertThat(lost.stream().map(world.problems::get)).as("%s growing %s: %s", when, growing, lost)
                    .isEmpty();
            });
            assertThat(world.served(cabled)).as(when).containsAll(World.possible(after, Set.of()));
            // a switch that is removed may not confirm the first step of the repair
            world.pass(SpineStep.PATIENCE.plus(Following.FOLLOWS));
            assertThat(world.phase(after)).as(when).isEqualTo(Phase.CONVERGED);
            Set<String> declared = new TreeSet<>();
            after.switches().forEach(sw -> declared.add(sw.name()));
            assertThat(world.network.programs().keySet()).as(when).isEqualTo(declared);
        }
    }

    /** The same fabric without some of its racks, ROS and links. */
    private static FabricSpec without(FabricSpec spec, Random random) {
        Set<String> gone = new TreeSet<>();
        List<Pod> pods = spec.pods().stream().map(pod -> new Pod(pod.id(),
            pod.ros().stream().filter(ros -> random.nextInt(4) > 0 || !gone.add(ros.switchName())).toList(),
            pod.racks().stream().filter(rack -> random.nextInt(4) > 0 || !gone.add(rack.switchName())).toList()))
            .toList();
        return new FabricSpec(spec.name(), spec.planes(), pods,
            spec.switches().stream().filter(sw -> !gone.contains(sw.name())).toList(),
            spec.links().stream().filter(link -> !gone.contains(link.end().switchName())
                && !gone.contains(link.peer().switchName()) && random.nextInt(12) > 0).toList(), spec.policy());
    }

    private static List<Segment> links(Topology topology) {
        List<Segment> links = new ArrayList<>();
        topology.roles().keySet().forEach(name -> topology.segments(name).stream()
            .filter(segment -> segment.lower().switchName().equals(name)).forEach(links::add));
        return links;
    }

    /** A restarted controller sends nothing to switches that have kept their programs. */
    @Test
    void restartedControllerSendsNothing() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        world.network.carrier(links(new Topology(spec)).get(0), false);
        world.pass(Following.FOLLOWS);
        int before = world.network.messages();
        world.start();
        world.network.reconnect();
        world.manager.fabricChanged(spec);
        world.settle();
        assertThat(world.network.messages()).isEqualTo(before);
        assertThat(world.phase(spec)).isEqualTo(Phase.DEGRADED);
    }

    /** A switch that restarts empty gets its program back, and no other switch is changed. */
    @Test
    void emptySwitchGetsItsProgramBack() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        var before = world.network.programs();
        int messages = world.network.messages();
        world.network.restart("spine-1-1");
        world.settle();
        assertThat(world.network.programs()).isEqualTo(before);
        assertThat(world.network.messages() - messages).isEqualTo(
            before.get("spine-1-1").rules().size() + before.get("spine-1-1").groups().size());
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    /**
     * A flapping link that a switch needs is used at once, every time; other flapping links stay held back, and the
     * history of the needed link is kept.
     */
    @Test
    void onlyNeededLinksAreUsedAtOnce() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        Segment spare = World.link(spec, "leaf-1-1", "spine-1-1");
        Segment needed = World.link(spec, "rack-1-01", "leaf-1-1");
        flap(world, spare, 5);
        assertThat(world.isUsed(spec, spare)).isFalse();

        Segment other = World.link(spec, "rack-1-01", "leaf-2-1");
        world.network.carrier(other, false);
        flap(world, needed, 5);
        assertThat(world.isUsed(spec, needed)).isTrue();
        assertThat(world.isUsed(spec, spare)).isFalse();
        assertThat(world.served(new Topology(spec))).isEqualTo(World.possible(spec, Set.of()));

        world.network.carrier(other, true);
        world.settle();
        assertThat(world.isUsed(spec, needed)).as("given back, as there is another way").isFalse();
        world.pass(Duration.ofMinutes(2), () -> { });
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    private static void flap(World world, Segment link, int times) {
        for (int time = 0; time < times; time++) {
            world.network.carrier(link, false);
            world.settle();
            world.network.carrier(link, true);
            world.settle();
        }
    }

    /** Removing a fabric removes its programs, its stored decision and its state. */
    @Test
    void removedFabricLeavesNothing() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        world.manager.fabricRemoved(spec.name());
        world.settle();
        assertThat(world.network.programs()).isEmpty();
        assertThat(world.stored).isEmpty();
        assertThat(world.states).isEmpty();
    }

    /**
     * A fabric configured again during its removal waits until its old switches have disconnected, and then comes up.
     */
    @Test
    void fabricStartsAgainAfterItsSwitchesDisconnected() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        world.manager.fabricRemoved(spec.name());
        world.manager.fabricChanged(spec);
        assertThat(world.stored).as("nothing is decided before").isEmpty();
        world.settle();
        assertThat(world.served(new Topology(spec))).isEqualTo(World.possible(spec, Set.of()));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }
}
