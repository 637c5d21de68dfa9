package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Policy.Granularity;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.Wiring;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How close placements are to the optimum. */
class QualityTest {
    private static final int FABRICS = 300;
    private static final long NODES = 50_000;

    /** The bandwidth of irregular fabrics with failures, against an exhaustive search and against split flows. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void isCloseToTheOptimum(long seed, TestReporter reporter) {
        double worst = 1;
        double sum = 0;
        int searched = 0;
        for (long at = seed; at < seed + FABRICS; at++) {
            Random random = new Random(at);
            FabricSpec spec = TestFabrics.placed(TestFabrics.generated(random), Granularity.DCM);
            UnusableLinks unusable = TestFabrics.failures(random, spec);
            Topology topology = new Topology(spec);
            Loads loads =
                Loads.of(topology, unusable, Placer.place(topology, unusable, Placement.EMPTY, Scope.OPTIMISE));
            if (loads.delivered() == 0 || spec.links().stream().anyMatch(link -> link.end().port().endsWith("b"))) {
                continue;
            }
            assertThat(loads.bandwidth()).as("daqfabric.seed=%d", at)
                .isLessThanOrEqualTo(UpperBound.of(spec, new Wiring(spec, unusable)) * (1 + 1e-9));
            double highest = loads.delivered() / loads.bandwidth();
            OptionalDouble lowest =
                ExhaustiveSearch.lowest(PlacementModel.events(topology, new UsableFabric(topology, unusable)), highest,
                    NODES);
            if (lowest.isPresent()) {
                assertThat(lowest.getAsDouble() / highest).as("daqfabric.seed=%d", at).isGreaterThan(0.7);
                worst = Math.min(worst, lowest.getAsDouble() / highest);
                sum += lowest.getAsDouble() / highest;
                searched++;
            }
        }
        reporter.publishEntry("of the optimum of whole DCMs", String.format(Locale.ROOT,
            "mean %.4f, worst %.4f in %d fabrics from daqfabric.seed=%d", sum / searched, worst, searched, seed));
        assertThat(sum / searched).as("daqfabric.seed=%d", seed).isGreaterThan(0.98);
    }

    /** In regular fabrics the load meets the bound and planes are used evenly, within two DCMs per rack. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void isOptimalAndEvenOnRegularFabrics(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < FABRICS; i++) {
            FabricSpec spec = TestFabrics.regular("regular", 1 + random.nextInt(4), 1 + random.nextInt(5),
                1 + random.nextInt(4), 1 + random.nextInt(5), 1 + random.nextInt(4), 1 + random.nextInt(12));
            String name = "daqfabric.seed=%d, fabric %d".formatted(seed, i);
            Topology topology = new Topology(spec);
            Placement placement = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
            double bound = bound(topology);
            Loads loads = Loads.of(topology, UnusableLinks.ALL_UP, placement);
            assertThat(loads.delivered() / loads.bandwidth()).as(name).isLessThanOrEqualTo(bound * (1 + 1e-9));
            Map<String, int[]> firsts = new HashMap<>();
            Map<String, int[]> nexts = new HashMap<>();
            int count = spec.planes().size();
            for (Endpoint dcm : topology.endpoints().values()) {
                if (dcm.isDcm()) {
                    Route route = placement.routes().get(dcm.address());
                    int first = route.planes().get(0);
                    firsts.computeIfAbsent(dcm.edge(), rack -> new int[count])[first - 1]++;
                    if (count > 1) {
                        nexts.computeIfAbsent(dcm.edge() + " first in plane " + first, rack -> new int[count - 1])[
                            (route.planes().get(1) - first + count) % count - 1]++;
                    }
                    assertThat(route.planes()).as(name).hasSize(count).doesNotHaveDuplicates();
                    assertThat(route.spines().values()).as(name).allSatisfy(choice -> {
                        assertThat(choice.spine()).isPositive();
                        assertThat(choice.backup()).isNotEqualTo(choice.spine());
                    });
                }
            }
            firsts.forEach((rack, planes) -> even(name + ", " + rack, planes));
            nexts.forEach((rack, planes) -> even(name + ", " + rack, planes));
        }
    }

    static Stream<FabricSpec> sizes() {
        return Stream.of(TestFabrics.prototype(), TestFabrics.fig64(2, 6, 40), TestFabrics.fig64(2, 5, 40),
            TestFabrics.atlas(), TestFabrics.lhcb(), TestFabrics.huge());
    }

    private static double bound(Topology topology) {
        return new LowerBound(PlacementModel.events(topology, new UsableFabric(topology, UnusableLinks.ALL_UP)))
            .ofWhole();
    }

    /** At the sizes of real experiments the bandwidth is at least 99 % of what whole DCMs allow. */
    @ParameterizedTest(name = "{index}")
    @MethodSource("sizes")
    void reachesTheBoundAtTheSizesOfExperiments(FabricSpec spec) {
        Topology topology = new Topology(spec);
        Loads loads = Loads.of(topology, UnusableLinks.ALL_UP,
            Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE));
        assertThat(bound(topology) / (loads.delivered() / loads.bandwidth())).as(spec.name())
            .isGreaterThanOrEqualTo(0.99);
    }

    private static void even(String name, int[] counts) {
        assertThat(Arrays.stream(counts).max().orElse(0) - Arrays.stream(counts).min().orElse(0)).as(name)
            .isLessThanOrEqualTo(2);
    }
}
