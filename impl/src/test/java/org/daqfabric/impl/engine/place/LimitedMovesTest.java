package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rebalancing with a limit of moves after links are back. */
class LimitedMovesTest {
    private static final int CASES = 60;

    /** No limit is exceeded, a higher limit never gives less bandwidth, and one that is not reached has no effect. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void keepsTheLimitAndLosesNoBandwidth(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = TestFabrics.generated(random);
            Topology topology = new Topology(spec);
            Placement before = Placer.place(topology, TestFabrics.failures(random, spec),
                Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE), Scope.REPAIR);
            Placement kept = Placer.place(topology, UnusableLinks.ALL_UP, before, Scope.REPAIR);
            Placement all = Placer.place(topology, UnusableLinks.ALL_UP, before, Scope.OPTIMISE);
            int unlimited = moves(topology, kept, all);
            boolean parallel = !kept.lanes().isEmpty();
            double last = bandwidth(topology, kept);
            for (int most = 0; most <= unlimited + 1; most++) {
                String when = "seed " + seed + " case " + number + " at most " + most;
                Placement moved = Placer.place(topology, UnusableLinks.ALL_UP, before, most);
                assertThat(moves(topology, kept, moved)).as(when).isLessThanOrEqualTo(most);
                if (!parallel) {
                    // placement counts a bundle as one link, so lanes may be uneven; the controller checks in the end
                    assertThat(bandwidth(topology, moved)).as(when).isGreaterThanOrEqualTo(last * (1 - 1e-9));
                    last = bandwidth(topology, moved);
                }
                if (most >= unlimited) {
                    assertThat(moved).as(when).isEqualTo(all);
                }
            }
            assertThat(Placer.place(topology, UnusableLinks.ALL_UP, before, 0).routes()).as("seed %d", seed)
                .isEqualTo(unlimited == 0 ? all.routes() : kept.routes());
        }
    }

    /** A spine that is back is filled as far as the limit allows, and bandwidth grows with every few moves. */
    @Test
    void gainsBandwidthWithEveryFewMoves() {
        Topology topology = new Topology(TestFabrics.regular("one plane", 1, 2, 2, 8, 4, 4));
        Placement whole = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        Placement before =
            Placer.place(topology, TestFabrics.without(topology.spec(), "spine-1-2"), whole, Scope.REPAIR);
        int all = moves(topology, before, Placer.place(topology, UnusableLinks.ALL_UP, before, Scope.OPTIMISE));
        assertThat(all).isEqualTo(16);
        double kept = bandwidth(topology, before);
        Placement half = Placer.place(topology, UnusableLinks.ALL_UP, before, 8);
        assertThat(moves(topology, before, half)).isEqualTo(8);
        assertThat(bandwidth(topology, half)).isCloseTo(kept * 16 / 12, within(0.01));
    }

    private static double bandwidth(Topology topology, Placement placement) {
        return Loads.of(topology, UnusableLinks.ALL_UP, placement).bandwidth();
    }

    private static int moves(Topology topology, Placement before, Placement after) {
        return (int) topology.endpoints().values().stream().filter(Endpoint::isDcm).filter(host -> {
            Route old = before.routes().get(host.address());
            Route now = after.routes().get(host.address());
            return old != null && now != null && topology.spec().pods().stream()
                .anyMatch(pod -> !primary(old.from(pod.id())).equals(primary(now.from(pod.id()))));
        }).count();
    }

    private static List<Integer> primary(Route route) {
        return List.of(route.planes().get(0), route.spines().get(route.planes().get(0)).spine());
    }
}
