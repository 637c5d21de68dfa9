package org.daqfabric.impl.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.run.RunLosses;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.Loss;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Silence;
import org.daqfabric.api.state.FabricState.Traffic;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.run.LossCounts.Daqring;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

class LossCountsTest {
    private static final PortId UP = new PortId("p1l1", "to-p1s1");
    private static final PortId DOWN = new PortId("p1s1", "to-p1l1");
    private static final Daqring RING = new Daqring("p1l1", "h1-1d1");

    private static RunLosses losses(Map<PortId, Long> links, long daqrings) {
        return new RunLosses(new TreeMap<>(links), daqrings);
    }

    private static FabricState lost(Topology topology, PortId link, long packets) {
        Traffic traffic = new Traffic(0, OptionalDouble.empty(), Optional.of(new Loss(0, packets)));
        LinkState state = new LinkState(link, OperState.UP, Instant.EPOCH, Optional.empty(), false, traffic,
            Traffic.NONE, Silence.NONE);
        return new FabricState(topology.spec().name(), Phase.CONVERGED, 1, List.of(), List.of(state), List.of(),
            List.of(), List.of(), List.of(), List.of(), new Capacity(20, 20, "", 1), Optional.empty(),
            Optional.empty(), Optional.empty(), Optional.empty());
    }

    @Test
    void onlyWhatWasLostSinceCounts() {
        LossCounts before = new LossCounts(Map.of(UP, 7L, DOWN, 2L), Map.of(RING, 3L));
        LossCounts after = new LossCounts(Map.of(UP, 8L, DOWN, 2L), Map.of(RING, 5L));
        assertThat(after.since(before, Set.of("h1-1d1"))).isEqualTo(losses(Map.of(UP, 1L), 2));
        assertThat(after.since(before, Set.of("h2-1d1"))).isEqualTo(losses(Map.of(UP, 1L), 0));
        assertThat(after.since(after, Set.of("h1-1d1"))).isEqualTo(RunLosses.NONE);
    }

    /** A link is counted from nought, a daqring may have dropped packets long before it is first read. */
    @Test
    void theFirstNumberOfALinkIsAllThatItLost() {
        LossCounts now = new LossCounts(Map.of(UP, 7L), Map.of(RING, 3L));
        assertThat(now.since(LossCounts.UNKNOWN, Set.of("h1-1d1"))).isEqualTo(losses(Map.of(UP, 7L), 0));
    }

    @Test
    void aDaqringThatWasMadeAnewHasCountedWhatIsNew() {
        LossCounts before = new LossCounts(Map.of(), Map.of(RING, 9L));
        LossCounts after = new LossCounts(Map.of(), Map.of(RING, 1L));
        assertThat(after.since(before, Set.of("h1-1d1"))).isEqualTo(losses(Map.of(), 1));
    }

    /** Counters that are told late make what is sure to be lost less for a moment. */
    @Test
    void aNumberOfALinkThatBecomesLessIsNotCountedTwice() {
        Topology topology = new Topology(TestFabrics.prototype());
        PortId link = topology.spec().links().get(0).end();
        LossCounts first = LossCounts.UNKNOWN.at(topology, lost(topology, link, 100));
        LossCounts less = first.at(topology, lost(topology, link, 50));
        LossCounts more = less.at(topology, lost(topology, link, 120));
        assertThat(less.since(first, Set.of())).isEqualTo(RunLosses.NONE);
        assertThat(more.since(less, Set.of())).isEqualTo(losses(Map.of(link, 20L), 0));
    }

    @Test
    void sumsNameTheLinksThatLostMost() {
        TreeMap<PortId, Long> many = new TreeMap<>();
        for (long index = 0; index < 150; index++) {
            many.put(new PortId("leaf", "port" + index), 1000 + index);
        }
        RunLosses sum = new RunLosses(many, 1).plus(losses(Map.of(UP, 5L, new PortId("leaf", "port0"), 5000L), 2));
        assertThat(sum.links()).hasSize(100).containsEntry(new PortId("leaf", "port0"), 6000L)
            .containsEntry(new PortId("leaf", "port149"), 1149L).doesNotContainKey(UP);
        assertThat(sum.daqrings()).isEqualTo(3);
    }
}
