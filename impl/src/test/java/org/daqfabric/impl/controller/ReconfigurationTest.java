package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A fabric that is removed and configured again, in parts and whole, while its switches still carry that out. */
class ReconfigurationTest {
    private static final int CASES = 40;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void fabricConvergesHoweverItWasConfiguredAgain(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            World world = new World(new MemoryNetwork(new Random(random.nextLong())));
            FabricSpec spec = TestFabrics.regular("tiny", 2, 2, 2, 1, 1, 2);
            world.configure(spec);
            world.pass(Duration.ofSeconds(10));
            StringBuilder log = new StringBuilder("seed " + seed + " case " + number);
            for (int edits = 2 + random.nextInt(5); edits > 0; edits--) {
                int steps = random.nextInt(80);
                while (steps-- > 0 && world.network.step()) {
                    // one by one
                }
                Duration wait = Duration.ofMillis(random.nextInt(3) * random.nextInt(400));
                if (!wait.isZero()) {
                    world.pass(wait);
                }
                switch (random.nextInt(3)) {
                    case 0 -> {
                        log.append("\nremoved");
                        world.manager.fabricRemoved(spec.name());
                    }
                    case 1 -> {
                        List<Switch> some = spec.switches().stream().filter(each -> random.nextInt(4) == 0).toList();
                        log.append("\nwith " + some.stream().map(Switch::name).toList());
                        world.manager.fabricChanged(new FabricSpec(spec.name(), List.of(), List.of(), some, List.of(),
                            spec.policy()));
                    }
                    default -> {
                        log.append("\nwhole");
                        world.manager.fabricChanged(spec);
                    }
                }
            }
            log.append("\nwhole");
            world.manager.fabricChanged(spec);
            world.pass(Duration.ofSeconds(30));
            FaultSequenceTest.assertRecovered(world, spec, log.toString());
        }
    }
}
