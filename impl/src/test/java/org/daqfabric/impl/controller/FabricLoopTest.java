package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.Finding;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.compile.DatapathIds;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.Trace;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole controller against a network in memory, one message at a time. */
class FabricLoopTest {
    private static final int CASES = 40;

    /** From nothing to every pair the links allow; then links fail and return, and it is so again each time. */
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

    /** An operator reads what is wrong, not where in our code it was found. */
    @Test
    void saysWhatIsWrongWithASwitchInPlainWords() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.regular("tiny", 1, 2, 1, 1, 1, 1);
        world.network.build(new Topology(spec));
        world.network.failReads("leaf-1-1", 1);
        world.configure(spec);
        world.settle();
        assertThat(world.states.get("tiny").switches()).filteredOn(each -> each.name().equals("leaf-1-1"))
            .first().extracting(FabricState.SwitchState::lastError).isEqualTo("its rules could not be read: not read");
    }

    /** A new description is taken up without a moment in which a pair that both serve is lost. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void changesOfTheFabricLoseNoPair(long seed) {
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
                // a link of an edge switch that leaves fails just before
                links(cabled).stream().filter(link -> less.switches().stream()
                        .noneMatch(kept -> kept.name().equals(link.lower().switchName())))
                    .findFirst().ifPresent(link -> world.network.carrier(link, false));
                for (int steps = random.nextInt(20); steps > 0; steps--) {
                    world.network.step();
                }
            }
            world.configure(after);
            world.settle(() -> {
                Set<String> lost = new TreeSet<>(both);
                lost.removeAll(world.served(cabled));
                assertThat(lost.stream().map(world.problems::get)).as("%s growing %s: %s", when, growing, lost)
                    .isEmpty();
            });
            assertThat(world.served(cabled)).as(when).containsAll(World.possible(after, Set.of()));
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

    /** A controller that comes back to switches that kept everything sends nothing. */
    @Test
    void restartedControllerSendsNothing() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        world.network.carrier(links(new Topology(spec)).get(0), false);
        world.settle();
        int before = world.network.messages();
        world.start();
        world.network.reconnect();
        world.manager.fabricChanged(spec);
        world.settle();
        assertThat(world.network.messages()).isEqualTo(before);
        assertThat(world.phase(spec)).isEqualTo(Phase.DEGRADED);
    }

    /** A switch that restarts empty gets everything back, and no other is touched. */
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
     * A flapping link that a switch cannot do without is used at once, again and again; that takes no other flapping
     * link into use, and its own past is not forgotten.
     */
    @Test
    void onlyNeededLinksEscapeBeingHeldBack() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        Segment spare = link(spec, "leaf-1-1", "spine-1-1");
        Segment needed = link(spec, "rack-1-01", "leaf-1-1");
        flap(world, spare, 5);
        assertThat(world.isUsed(spec, spare)).isFalse();

        Segment other = link(spec, "rack-1-01", "leaf-2-1");
        world.network.carrier(other, false);
        flap(world, needed, 5);
        assertThat(world.isUsed(spec, needed)).isTrue();
        assertThat(world.isUsed(spec, spare)).isFalse();
        assertThat(world.served(new Topology(spec))).isEqualTo(World.possible(spec, Set.of()));

        world.network.carrier(other, true);
        world.settle();
        assertThat(world.isUsed(spec, needed)).as("stays in use").isTrue();
        flap(world, needed, 1);
        assertThat(world.isUsed(spec, needed)).isFalse();
        world.pass(Duration.ofMinutes(2), () -> { });
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    private static Segment link(FabricSpec spec, String lower, String upper) {
        return links(new Topology(spec)).stream().filter(each -> each.lower().switchName().equals(lower)
            && each.upper().switchName().equals(upper)).findFirst().orElseThrow();
    }

    private static void flap(World world, Segment link, int times) {
        for (int time = 0; time < times; time++) {
            world.network.carrier(link, false);
            world.settle();
            world.network.carrier(link, true);
            world.settle();
        }
    }

    /** Removing a fabric leaves nothing behind, and another fabric as it was. */
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

    /** A fabric written again while it is being removed waits until its old switches are gone, and then comes up. */
    @Test
    void fabricComesBackAfterItsSwitchesLeft() {
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

    /** What was decided is stored before any switch hears of it. */
    @Test
    void decisionIsStoredFirst() {
        World world = new World(1);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        DecisionStore store = new DecisionStore() {
            @Override
            public CompletionStage<Decision> load(String fabric) {
                return world.load(fabric);
            }

            @Override
            public CompletionStage<Void> save(String fabric, Decision decision) {
                order.add("save");
                return new CompletableFuture<>();
            }

            @Override
            public CompletionStage<Void> delete(String fabric) {
                return world.delete(fabric);
            }
        };
        FabricManager manager = new FabricManager(new FabricServices(store, world, InstantSource.fixed(Instant.EPOCH),
            (delay, task) -> { }, Runnable::run, task -> { }, Duration.ZERO, Recorder.NONE));
        manager.activate(new FabricDrivers(world.network, new BridgeDriver() {
            @Override
            public CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge) {
                return CompletableFuture.completedFuture(List.of());
            }

            @Override
            public CompletionStage<Map<String, Map<String, Long>>> statistics(String systemId, String bridge) {
                return CompletableFuture.completedFuture(Map.of());
            }

            @Override
            public void put(String systemId, Optional<OvsdbAddress> address, Bridge bridge) {
                order.add("put");
            }

            @Override
            public void remove(String systemId, String bridge) {
                order.add("remove");
            }
        }, new NoRuns(), () -> true));
        manager.fabricChanged(TestFabrics.prototype());
        assertThat(order).containsExactly("save");
    }

    /** While a repair waits for the datastore what it adds is made, and after a moment others see what failed. */
    @Test
    void repairThatWaitsToBeStoredIsPreparedAndSeen() {
        World world = new World(new MemoryNetwork(new Random(1), Set.of("system", "daqring")));
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        long rings = rings(world);
        world.storing = new CompletableFuture<>();
        Segment link = link(spec, "leaf-1-1", "spine-1-1");
        world.network.carrier(link, false);
        world.settle();
        assertThat(rings(world)).isGreaterThan(rings);
        assertThat(world.isUsed(spec, link)).as("in the first moment the repair comes first").isTrue();
        world.pass(Duration.ofMillis(150));
        assertThat(world.isUsed(spec, link)).isFalse();
        assertThat(world.states.get("prototype").lastRepair().orElseThrow().confirmed()).isEmpty();
        world.storing.complete(null);
        world.settle();
        assertThat(world.states.get("prototype").lastRepair().orElseThrow().confirmed()).isPresent();
        assertThat(rings(world)).as("one for each DCM that moved is elsewhere").isEqualTo(rings);
    }

    private static long rings(World world) {
        return world.network.numbers().numbers().values().stream().flatMap(ports -> ports.keySet().stream())
            .filter(port -> port.startsWith("ring-")).count();
    }

    private static final PortId LEAF_1_TO_SPINE_1 = new PortId("leaf-1-1", "s1");
    private static final PortId LEAF_2_TO_SPINE_1 = new PortId("leaf-1-2", "s1");

    /** A description in which the cables of two links are exchanged, and so packets go astray. */
    private static FabricSpec exchanged(FabricSpec spec, PortId one, PortId other) {
        Map<PortId, Link> links = new HashMap<>();
        spec.links().forEach(link -> links.put(link.end(), link));
        Map<PortId, PortId> peers = Map.of(one, links.get(other).peer(), other, links.get(one).peer());
        return withLinks(spec, spec.links().stream().map(link -> new Link(link.end(),
            peers.getOrDefault(link.end(), link.peer()), link.capacity(), link.adminState())).toList());
    }

    private static FabricSpec withLinks(FabricSpec spec, List<Link> links) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), links, spec.policy());
    }

    private static Map<PortId, FabricState.LinkState> linksThatAre(FabricState.OperState state, FabricState fabric) {
        Map<PortId, FabricState.LinkState> links = new HashMap<>();
        fabric.links().stream().filter(link -> link.operState() == state).forEach(link -> links.put(link.end(), link));
        return links;
    }

    /** Pairs between which packets do not arrive, wherever they go. */
    private static long lost(Topology cabled, World world) {
        Trace trace = new Trace(cabled, world.network.numbers(), world.network.programs(), Set.of());
        return cabled.endpoints().values().stream().flatMap(from -> cabled.endpoints().values().stream()
            .filter(to -> to.kind() != from.kind()).map(to -> trace.follow(from.edge(), to.address())))
            .filter(path -> !path.arrived()).count();
    }

    /** Links that lead elsewhere than declared are gone round until cable and description agree. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void miscabledLinksCarryNothing(long seed) {
        World world = new World(seed);
        FabricSpec spec = TestFabrics.prototype();
        Topology cabled = new Topology(spec);
        Set<String> all = World.possible(spec, Set.of());
        world.network.build(cabled);
        world.manager.fabricChanged(exchanged(spec, LEAF_1_TO_SPINE_1, LEAF_2_TO_SPINE_1));
        world.settle();
        assertThat(linksThatAre(FabricState.OperState.UP, world.states.get(spec.name())))
            .as("nobody looked yet").containsKey(LEAF_1_TO_SPINE_1);
        assertThat(lost(cabled, world)).as("pairs that packets gone astray cost").isPositive();

        world.network.checkCabling();
        world.settle();
        FabricState state = world.states.get(spec.name());
        var wrong = linksThatAre(FabricState.OperState.MISCABLED, state);
        assertThat(wrong).containsOnlyKeys(LEAF_1_TO_SPINE_1, LEAF_2_TO_SPINE_1);
        assertThat(wrong.get(LEAF_1_TO_SPINE_1).seenPeer()).contains(new PortId("spine-1-1", "l1"));
        assertThat(state.phase()).isEqualTo(Phase.DEGRADED);
        assertThat(state.links()).allSatisfy(link -> assertThat(link.seenPeer()).isPresent());
        assertThat(world.served(cabled)).isEqualTo(all);
        int messages = world.network.messages();
        world.network.checkCabling();
        world.settle();
        assertThat(world.network.messages()).as("the same again changes nothing").isEqualTo(messages);

        world.manager.fabricChanged(spec);
        world.settle();
        assertThat(world.states.get(spec.name()).links()).allSatisfy(link ->
            assertThat(link.operState()).isEqualTo(FabricState.OperState.UP));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(world.served(cabled)).isEqualTo(all);
    }

    /** Whoever mends a cable takes it out first: what was known of it then no longer holds. */
    @Test
    void cableThatWasOutIsJudgedAnew() {
        World world = new World(1);
        FabricSpec spec = exchanged(TestFabrics.prototype(), LEAF_1_TO_SPINE_1, LEAF_2_TO_SPINE_1);
        world.network.build(new Topology(TestFabrics.prototype()));
        world.manager.fabricChanged(spec);
        world.settle();
        world.network.checkCabling();
        world.settle();
        List<Segment> wrong = links(new Topology(TestFabrics.prototype())).stream().filter(segment ->
            Set.of(LEAF_1_TO_SPINE_1, LEAF_2_TO_SPINE_1).contains(segment.lower())).toList();
        wrong.forEach(segment -> world.network.carrier(segment, false));
        world.settle();
        assertThat(linksThatAre(FabricState.OperState.DOWN, world.states.get(spec.name())))
            .containsOnlyKeys(LEAF_1_TO_SPINE_1, LEAF_2_TO_SPINE_1);
        wrong.forEach(segment -> world.network.carrier(segment, true));
        world.network.build(new Topology(spec));
        world.settle();
        world.network.checkCabling();
        world.settle();
        assertThat(linksThatAre(FabricState.OperState.UP, world.states.get(spec.name())))
            .hasSize(spec.links().size());
    }

    /** Lanes are placed upon one by one, so it matters which is which. */
    @Test
    void crossedParallelLinksAreMiscabled() {
        World world = new World(1);
        FabricSpec single = TestFabrics.prototype();
        List<Link> links = new ArrayList<>(single.links());
        PortId second = new PortId("leaf-1-1", "s1b");
        links.add(new Link(second, new PortId("spine-1-1", "l1b"), 10, AdminState.IN_SERVICE));
        FabricSpec spec = withLinks(single, links);
        world.network.build(new Topology(spec));
        world.manager.fabricChanged(exchanged(spec, LEAF_1_TO_SPINE_1, second));
        world.settle();
        world.network.checkCabling();
        world.settle();
        assertThat(linksThatAre(FabricState.OperState.MISCABLED, world.states.get(spec.name())))
            .containsOnlyKeys(LEAF_1_TO_SPINE_1, second);
        assertThat(world.served(new Topology(spec))).isEqualTo(World.possible(spec, Set.of()));
    }

    /** A cable may lead out of the fabric: into another, or to a switch nobody knows. */
    @Test
    void peersOfOtherFabricsAreNamed() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        world.manager.fabricChanged(TestFabrics.regular("other", 1, 1, 1, 1, 1, 1));
        long leaf = DatapathIds.of(spec.name(), "leaf-1-1");
        int first = world.network.numbers().of(LEAF_1_TO_SPINE_1).getAsInt();
        int second = world.network.numbers().of(new PortId("leaf-1-1", "s2")).getAsInt();
        world.manager.peerSeen(leaf, first, DatapathIds.of("other", "spine-1-1"), 4);
        world.manager.peerSeen(leaf, second, 0xabc, 5);
        world.settle();
        var wrong = linksThatAre(FabricState.OperState.MISCABLED, world.states.get(spec.name()));
        assertThat(wrong.get(LEAF_1_TO_SPINE_1).seenPeer()).contains(new PortId("other/spine-1-1", "4"));
        assertThat(wrong.get(new PortId("leaf-1-1", "s2")).seenPeer()).contains(new PortId("0000000000000abc", "5"));
    }

    /** Cables are looked at for as long as the fabric is there, and only those. */
    @Test
    void cablesOfARemovedFabricAreLeftAlone() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        assertThat(world.network.watched()).isEqualTo(new Topology(spec).roles().keySet());
        world.manager.fabricRemoved(spec.name());
        world.settle();
        assertThat(world.network.watched()).isEmpty();
    }
}
