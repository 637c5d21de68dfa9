package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Maps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.engine.SharedNodes;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.compile.BridgeCompiler;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Takes a whole controller through random sequences of faults, up to three at once. {@link PairGuard} checks every
 * single message; after each sequence and its repairs the fabric must be as if nothing had failed.
 */
class FaultSequenceTest {
    /** Fabrics in all tests about, each with {@link #SEQUENCES} sequences: some four minutes on two processors. */
    private static final int CASES = Integer.getInteger("daqfabric.fabrics", 600);
    private static final int SEQUENCES = 10;
    /** Longer than the time for which links are held back, the interval of comparisons and the pause before a retry. */
    private static final Duration QUIET = Duration.ofSeconds(130);

    /** One fixed seed unless a property selects another, so that a build fails only by its own changes. */
    static LongStream seeds() {
        return LongStream.of(Long.getLong("daqfabric.seed", 1));
    }

    /** No single message of the controller interrupts a pair, whatever faults occur. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noMessageBreaksAPair(long seed) {
        IntStream.range(0, CASES / 2).parallel().forEach(number -> run(seed, number));
    }

    /** The same with three pods, two ROS each and three spines per plane. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noMessageBreaksAPairOfALargerFabric(long seed) {
        IntStream.range(0, CASES / 100).parallel().forEach(number -> run(seed, number, FaultSequenceTest::larger));
    }

    /**
     * The same where edge switches have rules for prefixes, which take packets from each other as they are added and
     * removed.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noMessageBreaksAPairWithRulesForPrefixes(long seed) {
        IntStream.range(0, CASES / 50).parallel().forEach(number ->
            run(seed, number, FaultSequenceTest::withPrefixes));
    }

    /** The same where nodes run several switches, which fail together. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noMessageBreaksAPairOfAFabricOnFewNodes(long seed) {
        IntStream.range(0, CASES / 10).parallel().forEach(number ->
            run(seed, number, FaultSequenceTest::fabricOnFewNodes));
    }

    /**
     * The same with edits: labels change, switches move to other bridges, nodes and planes, links and spines leave for
     * a while, hosts get other addresses and places, and the policy changes.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noMessageBreaksAPairThatEditsNeedNotBreak(long seed) {
        IntStream.range(0, CASES / 3).parallel().forEach(number -> runWithEdits(seed, number));
    }

    /** The same with parallel and missing links, unequal weights and capacities, one pod or several. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noMessageBreaksAPairOfAnIrregularFabric(long seed) {
        IntStream.range(0, CASES / 10).parallel().forEach(number -> runIrregular(seed, number));
    }

    /** A change of the policy to rules for prefixes and back interrupts no pair. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void changingTheRulesPolicyBreaksNoPair(long seed) {
        IntStream.range(0, CASES / 20).parallel().forEach(number -> changePolicy(seed, number));
    }

    static void changePolicy(long seed, int number) {
        Random random = new Random(seed * 1_000_003 + number);
        FabricSpec hosts = TestFabrics.readdressed(TestFabrics.regular("others", 1 + random.nextInt(3), 2, 2, 1,
            1 + random.nextInt(2), 1 + random.nextInt(8)), random);
        World world = new World(new MemoryNetwork(new Random(random.nextLong())));
        PairGuard guard = new PairGuard(world, hosts, () -> "seed " + seed + " case " + number);
        world.network.watch(guard);
        world.configure(hosts);
        world.pass(QUIET);
        for (FabricSpec next : List.of(TestFabrics.compressed(hosts), hosts)) {
            guard.configured(next);
            world.manager.fabricChanged(next);
            world.pass(QUIET);
            guard.settled();
            assertRecovered(world, next, "seed " + seed + " case " + number);
        }
    }

    /** Sequences that once broke a pair or never settled, by what was wrong with the controller. */
    @ParameterizedTest(name = "{2}")
    @CsvSource({
        "1, 2, a batch under way empties a group that the next program counts on",
        "1, 25, a placement that cannot be stored is tried again at once and for ever",
        "7, 3, a controller that starts takes the daqrings off switches it has not heard of",
        "7, 11, rules are removed though a newer placement that needs them waits to be stored",
        "7, 14, a number of a daqring that leaves is given to another at once",
        "7, 18, a switch that missed changes holds other daqrings under the same numbers",
        "1, 459, an isolated rack still sends to what a drain takes away",
        "1, 811, a leaf is taken back into use while another, out of reach, does not know it",
        "1, 1088, edge switches are changed before the leaf they send to",
        "1, 1903, the edge is changed though a leaf refused what it needs",
        "7, 199, a switch that comes back over OpenFlow first loses rules for ports nobody told of",
    })
    void staysMended(long seed, int number, String what) {
        run(seed, number);
    }

    /** The same, of {@link #noMessageBreaksAPairOfAFabricOnFewNodes}. */
    @ParameterizedTest(name = "{2}")
    @CsvSource({
        "1, 181, a fabric without any path counts as new: links that BFD reports down are used as it returns",
        "600691683, 232, packets turned back by one spine lose their way by another before their leaf has changed",
    })
    void staysMendedOnFewNodes(long seed, int number, String what) {
        run(seed, number, FaultSequenceTest::fabricOnFewNodes);
    }

    /** The same, of {@link #noMessageBreaksAPairWithRulesForPrefixes}. */
    @ParameterizedTest(name = "{2}")
    @CsvSource({
        "469920941, 54, a rule is removed in the moment in which its path returns, before the next decision",
    })
    void staysMendedWithRulesForPrefixes(long seed, int number, String what) {
        run(seed, number, FaultSequenceTest::withPrefixes);
    }

    /** The same, of {@link #noMessageBreaksAPairThatEditsNeedNotBreak}. */
    @ParameterizedTest(name = "{2}")
    @CsvSource({
        "1, 74, another edit moves a leaf at once though packets still follow what was before it was drained",
        "1, 92, a controller restarts while a switch is about to move to another bridge",
        "551280126, 80, a spine's new bridge has the datapath-id of the old one, which is still being removed",
        "554169431, 67, a spine that leaves for a while is shown with the carrier that its ports had when it left",
        "1, 818, a link used at once for one ROS draws others to a leaf out of reach that drops their packets",
        "599129308, 68, a link goes and is back before its port has been removed, and another one to its leaf fails",
        "601777400, 549, a leaf moves that was drained a moment before, as a rack out of reach still sends there",
        "600007587, 81, a link goes that packets take round a failed one, before edge switches avoid the leaf",
    })
    void staysMendedUnderEdits(long seed, int number, String what) {
        runWithEdits(seed, number);
    }

    /** The same, of {@link #noMessageBreaksAPairOfAnIrregularFabric}. */
    @ParameterizedTest(name = "{2}")
    @CsvSource({
        "771, 15, a leaf moves at once for all as one rack has no other path",
        "550291877, 196, a pair whose only path is by a spine that becomes one of another plane and gets another name",
        "567301563, 76, a link goes as the other one to its leaf is down: the leaf changes before edge switches",
        "569925907, 24, a leaf moves as a ROS that still sends there is out of reach",
        "587779179, 389, a decision whose labels changed while the store failed stays in the old ones after a restart",
        "571623601, 105, a controller restarts while a spine is about to become one of another plane",
        "603091775, 218, leaves send to a spine of another plane whose groups still lead where its ports led before",
        "613669121, 1069, a spine that was just taken out comes back with another bridge, and leaves still send to it",
        "617409338, 1098, a spine gets another plane after a start with a link down, so that nothing is known yet",
        "619335722, 1606, a link goes, and a daqring's packets are sent round by a leaf that has no other way",
        "626614673, 19, a leaf moves as a rack's other link stays down, and those with another path take it first",
    })
    void staysMendedOnIrregularFabrics(long seed, int number, String what) {
        runIrregular(seed, number);
    }

    /** The same as edits and faults, and the store answers when other messages have arrived. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noMessageBreaksAPairWhileTheStoreIsLate(long seed) {
        IntStream.range(0, CASES / 50).parallel().forEach(number -> runWithLateStore(seed, number));
    }

    /** The same, of {@link #noMessageBreaksAPairWhileTheStoreIsLate}. */
    @ParameterizedTest(name = "{2}")
    @CsvSource({
        "628886727, 562, a spine gets another bridge, and another name a moment later: leaves send to the old one",
    })
    void staysMendedWhileTheStoreIsLate(long seed, int number, String what) {
        runWithLateStore(seed, number);
    }

    static void run(long seed, int number) {
        run(seed, number, FaultSequenceTest::fabric);
    }

    static void runWithEdits(long seed, int number) {
        run(seed, number, random -> random.nextBoolean() ? fabric(random) : fabricOnFewNodes(random), Faults.ALL);
    }

    static void runIrregular(long seed, int number) {
        run(seed, number, FaultSequenceTest::irregular, Faults.ALL);
    }

    static void run(long seed, int number, Function<Random, FabricSpec> fabrics) {
        run(seed, number, fabrics, Faults.FAULTS);
    }

    static void run(long seed, int number, Function<Random, FabricSpec> fabrics, List<Faults.Kind> possible) {
        run(seed, number, fabrics, possible, false);
    }

    static void runWithLateStore(long seed, int number) {
        run(seed, number, random -> random.nextBoolean() ? irregular(random) : fabric(random), Faults.ALL, true);
    }

    private static void run(long seed, int number, Function<Random, FabricSpec> fabrics, List<Faults.Kind> possible,
            boolean storesLate) {
        Random random = new Random(seed * 1_000_003 + number);
        List<String> log = new ArrayList<>();
        Set<String> types = random.nextBoolean() ? Set.of("system", "daqring") : Set.of("system");
        World world = new World(new MemoryNetwork(new Random(random.nextLong()), types));
        world.storesLate = storesLate;
        FabricSpec spec = fabrics.apply(random);
        PairGuard guard = new PairGuard(world, spec, () -> "seed " + seed + " case " + number + "\n"
            + String.join("\n", log));
        world.network.watch(guard);
        world.configure(spec);
        world.pass(QUIET);
        ConfiguredFabric fabric = new ConfiguredFabric(world, spec, guard, random, log);
        Faults faults = new Faults(world, fabric, guard, possible, random, log);
        for (int sequence = 0; sequence < SEQUENCES; sequence++) {
            log.add("sequence " + sequence);
            int before = world.network.messages();
            Set<Faults.Kind> kinds = faults.sequence();
            log.add("  quiet");
            world.pass(QUIET);
            guard.settled();
            String when = "seed " + seed + " case " + number + "\n" + String.join("\n", log);
            assertRecovered(world, fabric.spec(), when);
            assertNothingSurplus(world, fabric.relabelled(), when);
            if (Set.of(Faults.Kind.ISOLATE, Faults.Kind.BLIP, Faults.Kind.NEW_CONTROLLER).containsAll(kinds)) {
                assertThat(world.network.messages()).as(when).isEqualTo(before);
            }
            if (random.nextInt(5) == 0) {
                log.add("a new controller that finds nothing to do");
                before = world.network.messages();
                faults.newController();
                world.pass(Duration.ofSeconds(10));
                assertThat(world.network.messages()).as(when).isEqualTo(before);
            }
        }
    }

    private static FabricSpec fabric(Random random) {
        int planes = 1 + random.nextInt(2);
        int racks = 1 + random.nextInt(2);
        return TestFabrics.regular("tiny", planes, 3 - planes + random.nextInt(2), 2, 1, racks, 1 + random.nextInt(2));
    }

    static FabricSpec larger(Random random) {
        return TestFabrics.regular("larger", 1 + random.nextInt(3), 3, 3, 2, 2, 2);
    }

    static FabricSpec withPrefixes(Random random) {
        FabricSpec spec = TestFabrics.compressed(TestFabrics.regular("prefixes", 1 + random.nextInt(3), 2, 2, 1,
            1 + random.nextInt(2), 2 + random.nextInt(6)));
        return random.nextBoolean() ? TestFabrics.readdressed(spec, random) : spec;
    }

    private static FabricSpec irregular(Random random) {
        FabricSpec spec;
        do {
            spec = TestFabrics.generated(random);
        } while (World.possible(spec, Set.of()).isEmpty());
        return spec;
    }

    static FabricSpec fabricOnFewNodes(Random random) {
        return SharedNodes.of(fabric(random), random, 3 + random.nextInt(6));
    }

    /** Every bridge of the configuration has the ports that it must have, and there is no other bridge. */
    private static void assertNothingSurplus(World world, FabricSpec spec, String when) {
        Topology topology = new Topology(spec);
        Map<String, Set<String>> ports = new TreeMap<>();
        spec.switches().forEach(each -> ports.put(each.systemId() + "/" + each.bridge(), BridgeCompiler.of(topology,
            world.stored.get(spec.name()).portNumbers(), each.name()).ports().keySet()));
        assertThat(Maps.transformValues(world.network.bridges(), bridge -> bridge.ports().keySet())).as(when)
            .isEqualTo(ports);
    }

    /** The fabric is as if nothing had failed. */
    static void assertRecovered(World world, FabricSpec spec, String when) {
        assertThat(world.served(new Topology(spec))).as(when)
            .containsExactlyInAnyOrderElementsOf(World.possible(spec, Set.of()));
        FabricState state = world.states.get(spec.name());
        assertThat(world.phase(spec)).as("%s\n%s\n%s", when, state.switches(), state.links())
            .isEqualTo(Phase.CONVERGED);
        Map<String, Program> programs = world.network.programs();
        world.background = Runnable::run;
        CompletionStage<Verification> asked = world.manager.inspect(spec.name(), Set.of(), false);
        world.pass(Duration.ofSeconds(1));
        world.background = task -> { };
        Verification found = asked.toCompletableFuture().join();
        assertThat(found.findings()).as(when).isEmpty();
        assertThat(found.lost()).as(when).isEmpty();
        assertThat(found.pairs()).as(when).isEqualTo(World.possible(spec, Set.of()).size());
        assertThat(world.network.programs()).as(when).isEqualTo(programs);
    }
}
