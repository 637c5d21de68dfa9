package org.daqfabric.impl.runcontrol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.RunRecord;
import org.daqfabric.api.run.RunState;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Repair;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which repairs are counted in a run, whatever the clock is set to. */
class PartitionWatchTest {
    private static final Instant BEGIN = Instant.parse("2026-11-30T03:00:00Z");

    private final Topology topology = new Topology(TestFabrics.prototype());
    private final String fabric = topology.spec().name();
    private final PartitionRegistry registry = new PartitionRegistry();
    private final PartitionWatch watch = new PartitionWatch(registry, registry::put, delay -> { },
        mock(RunListener.class), new EventLog("1", () -> BEGIN), new Clocks(() -> BEGIN, () -> BEGIN));

    private void observe(Instant detected, boolean confirmed) {
        Repair repair = new Repair("down", detected, detected, confirmed ? Optional.of(detected) : Optional.empty(), 1,
            1);
        watch.observe(new FabricStatus(topology, UnusableLinks.ALL_UP, Placement.EMPTY, new FabricState(fabric,
            Phase.DEGRADED, 1, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
            new Capacity(0, 0, "", 0), Optional.of(repair), Optional.empty(), Optional.empty()), false));
    }

    private void start(String name) {
        Partition ready = new Partition(name, fabric, RunState.READY, BEGIN, "", "",
            new Selection(new TreeSet<>(), new TreeSet<>()), 0, true, Optional.empty(), Optional.empty(), List.of());
        registry.put(watch.timed(ready, ready.started(RunRecord.begin(8, BEGIN, new Condition(1, 1, List.of())),
            BEGIN)));
    }

    private int repairs(String name) {
        return registry.find(name).orElseThrow().run().orElseThrow().repairs();
    }

    /** Those that begin after the run, not what was under way or is not reported yet. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void repairsAreCountedInTheirRun(int hours) {
        Duration set = Duration.ofHours(hours);
        observe(BEGIN.minusSeconds(3).minus(set), true);
        observe(BEGIN.minusSeconds(2).minus(set), false);
        start("det");
        watch.update();
        observe(BEGIN.minusSeconds(2).minus(set), true);
        watch.update();
        assertThat(repairs("det")).isZero();
        observe(BEGIN.plusSeconds(1).plus(set), false);
        start("other");
        observe(BEGIN.plusSeconds(1).plus(set), true);
        watch.update();
        assertThat(repairs("det")).isEqualTo(1);
        assertThat(repairs("other")).isZero();
    }
}
