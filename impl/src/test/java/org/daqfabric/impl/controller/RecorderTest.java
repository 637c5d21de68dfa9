package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Finding;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The recorded counts equal those of the network in memory. */
class RecorderTest implements Recorder {
    private final List<Finding> findings = new ArrayList<>();
    private SortedMap<String, SwitchCounts> counts;
    private int asked;
    private int compared;
    private int waits;
    private Supplier<LoopState> loop;

    /** Sizes of programs, messages, waits and comparisons are recorded. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void countsEqualThoseOfTheNetwork(long seed) {
        World world = new World(seed);
        world.recorder = this;
        world.start();
        FabricSpec spec = TestFabrics.generated(new Random(seed));
        world.configure(spec);
        world.settle();
        world.states.get(spec.name()).switches().forEach(each -> {
            assertThat(counts.get(each.name()).rules()).isEqualTo(each.rules());
            assertThat(counts.get(each.name()).groups()).isEqualTo(each.groups());
            // these switches do not support daqrings
            assertThat(counts.get(each.name()).daqrings() > 0).isEqualTo(each.daqrings().isEmpty());
            assertThat(counts.get(each.name()).failed()).isZero();
        });
        assertThat(counts.values().stream().mapToLong(SwitchCounts::sent).sum()).isEqualTo(world.network.messages());
        assertThat(waits).isPositive();

        // from then on each switch is compared once in that time
        world.pass(Duration.ofSeconds(61));
        compared = 0;
        world.pass(Duration.ofSeconds(60));
        assertThat(compared).isBetween(spec.switches().size() - 1, spec.switches().size() + 1);
        assertThat(findings).isEmpty();

        world.manager.inspect(spec.name(), Set.of(), true);
        world.settle();
        assertThat(asked).isEqualTo(spec.switches().size());

        assertThat(loop.get()).isEqualTo(new LoopState(Duration.ZERO, 0, 0, Duration.ZERO));
        world.manager.fabricRemoved(spec.name());
        assertThat(loop).isNull();
    }

    @Override
    public void waited(String fabric, Duration time) {
        assertThat(time).isZero();
        waits++;
    }

    @Override
    public void settled(FabricSpec inForce, SortedMap<String, SwitchCounts> switches) {
        counts = switches;
    }

    @Override
    public void compared(String fabric, boolean onRequest, int switches, List<Finding> found) {
        asked += onRequest ? switches : 0;
        compared += onRequest ? 0 : switches;
        findings.addAll(found);
    }

    @Override
    public void ringsDeleted(String fabric, long packets) {
        throw new AssertionError("all daqrings are empty");
    }

    @Override
    public void loopBegun(String fabric, Supplier<LoopState> begun) {
        loop = begun;
    }

    @Override
    public void loopEnded(String fabric) {
        loop = null;
    }

    @Override
    public void counted(String fabric, String switchName, Instant when, Map<String, Map<String, Long>> ports) {
        throw new AssertionError("switches in memory count nothing");
    }
}
