package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Takes a whole controller through sequences of faults of the network and inside itself at once. {@link PairGuard}
 * checks every message; afterwards the fabric must be as if nothing had failed.
 */
class InternalFaultsTest {
    /** Fabrics for a seed. */
    private static final int CASES = Math.max(1, Integer.getInteger("daqfabric.fabrics", 2000) / 20);
    private static final int SEQUENCES = 5;
    private static final Duration WATCH = Duration.ofMillis(500);
    /** Longer than the pause before a loop is replaced again, and than all waits for links and switches after that. */
    private static final Duration QUIET = Duration.ofSeconds(200);

    /** Whatever an event throws, wherever, and however the store answers: no pair is lost, and the fabric recovers. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void controllerSurvivesItsOwnFaults(long seed) {
        Map<String, Integer> thrown = new TreeMap<>();
        IntStream.range(0, CASES).parallel().forEach(number -> {
            Map<String, Integer> here = run(seed, number);
            synchronized (thrown) {
                here.forEach((name, count) -> thrown.merge(name, count, Integer::sum));
            }
        });
        if (CASES > 10) {
            assertThat(thrown).as("every kind occurs").hasSize(6);
        }
    }

    /** Cases that once broke a pair, by what was wrong with the controller. */
    @ParameterizedTest(name = "{2}")
    @CsvSource({
        "585168814, 837, a spine that returns empty and refuses a change gets packets 100 ms into the next repair",
        "469110994, 5, a new loop that is not told of a port as the telling fails counts its link as up",
    })
    void staysMended(long seed, int number, String what) {
        run(seed, number);
    }

    static Map<String, Integer> run(long seed, int number) {
        Random random = new Random(seed * 1_000_003 + number);
        List<String> log = new ArrayList<>();
        Set<String> types = random.nextBoolean() ? Set.of("system", "daqring") : Set.of("system");
        World world = new World(new MemoryNetwork(new Random(random.nextLong()), types));
        InternalFaults internal = new InternalFaults(world, new Random(random.nextLong()), 20 + random.nextInt(2000),
            log);
        world.services = internal::around;
        world.drivers = internal::around;
        world.watch = WATCH;
        world.start();
        int planes = 1 + random.nextInt(2);
        FabricSpec spec = TestFabrics.regular("tiny", planes, 3 - planes + random.nextInt(2), 2, 1,
            1 + random.nextInt(2), 1 + random.nextInt(2));
        PairGuard guard = new PairGuard(world, spec, () -> "seed " + seed + " case " + number + "\n"
            + String.join("\n", log));
        world.network.watch(guard);
        world.configure(spec);
        world.pass(QUIET);
        Faults faults = new Faults(world, new ConfiguredFabric(world, spec, guard, random, log), guard,
            Faults.FAULTS, random, log);
        for (int sequence = 0; sequence < SEQUENCES; sequence++) {
            log.add("sequence " + sequence);
            internal.begin();
            faults.sequence();
            internal.end();
            log.add("  quiet");
            world.pass(QUIET);
            guard.settled();
            String when = "seed " + seed + " case " + number + "\n" + String.join("\n", log);
            FaultSequenceTest.assertRecovered(world, spec, when);
            int messages = world.network.messages();
            Map<String, Object> stored = Map.copyOf(world.stored);
            faults.newController();
            world.pass(Duration.ofSeconds(10));
            assertThat(world.network.messages()).as(when).isEqualTo(messages);
            assertThat(world.stored).as(when).isEqualTo(stored);
        }
        return internal.thrown();
    }
}
