package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
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
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Placement by the pod that packets come from. What holds with both granularities: GeneratedPlacementTest. */
class PodPlacementTest {
    private static final int FABRICS = 100;
    private static final double TINY = 1e-9;

    private record Case(String name, Topology topology, Topology byDcm, UnusableLinks first, UnusableLinks second) {
        static Case of(long seed) {
            Random random = new Random(seed);
            FabricSpec spec = TestFabrics.generatedWithBuilders(random);
            return new Case("daqfabric.seed=" + seed, new Topology(TestFabrics.byPod(spec)),
                new Topology(TestFabrics.placed(spec, Granularity.DCM)), TestFabrics.failures(random, spec),
                TestFabrics.failures(random, spec));
        }

        boolean hasBundles() {
            return topology.hasParallelLinks();
        }

        Placement fresh() {
            return Placer.place(topology, first, Placement.EMPTY, Scope.OPTIMISE);
        }

        PodState state(UnusableLinks unusable, Placement placement) {
            PodState state =
                new PodState(PlacementModel.events(topology, new UsableFabric(topology, unusable)));
            PodPrevious placed = new PodPrevious(state, placement.routes());
            for (int flow = 0; flow < state.routes.length; flow++) {
                state.assign(flow, placed.routes[flow]);
            }
            return state;
        }
    }

    private interface Check {
        void check(Case one);
    }

    private static void forAll(long seed, Check check) {
        for (long at = seed; at < seed + FABRICS; at++) {
            check.check(Case.of(at));
        }
    }

    /** The loads that flows are placed by are those of packets that follow the routes, and no less than possible. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void computesTheLoadsThatPacketsCause(long seed) {
        forAll(seed, one -> {
            if (!one.hasBundles()) {
                Placement placement = one.fresh();
                Loads loads = Loads.of(one.topology(), one.first(), placement);
                double highest = one.state(one.first(), placement).highestLoad();
                assertThat(loads.links().stream().mapToDouble(link -> link.relative()).max().orElse(0)).as(one.name())
                    .isCloseTo(highest, within(TINY));
                if (loads.delivered() > 0) {
                    assertThat(loads.bandwidth()).as(one.name()).isLessThanOrEqualTo(
                        UpperBound.of(one.topology().spec(), new Wiring(one.topology().spec(), one.first()))
                            * (1 + TINY));
                }
            }
        });
    }

    /** Where whole addresses are best, and flows are not looked at, the routes are those of all flows. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void placesWhatFitsWholeAsByFlows(long seed) {
        forAll(seed, one -> assertPlacedAsByFlows(one.name(), one.topology(), one.first()));
        assertPlacedAsByFlows("atlas", new Topology(TestFabrics.byPod(TestFabrics.atlas())), UnusableLinks.ALL_UP);
    }

    private static void assertPlacedAsByFlows(String name, Topology topology, UnusableLinks unusable) {
        PodSolver solver = new PodSolver(PlacementModel.events(topology, new UsableFabric(topology, unusable)),
            Map.of(), Scope.OPTIMISE);
        assertThat(solver.routes()).as(name).isEqualTo(PodRoutes.of(solver.solve(), Map.of(), false));
    }

    /** By pod the bandwidth is at least that by DCM. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void carriesNoLessThanByDcm(long seed) {
        forAll(seed, one -> {
            if (!one.hasBundles()) {
                Placement byDcm = Placer.place(one.byDcm(), one.first(), Placement.EMPTY, Scope.OPTIMISE);
                assertThat(Loads.of(one.topology(), one.first(), one.fresh()).bandwidth()).as(one.name())
                    .isGreaterThanOrEqualTo(Loads.of(one.byDcm(), one.first(), byDcm).bandwidth() * (1 - TINY));
            }
        });
    }

    /** Nor after failures, once it is rebalanced: than anew by DCM, and than what its routes for whole DCMs become. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void carriesNoLessThanByDcmAfterFailures(long seed) {
        forAll(seed, one -> {
            Placement fresh = one.fresh();
            Placement repaired = Placer.place(one.topology(), one.second(), fresh, Scope.REPAIR);
            Placement rebalanced = Placer.place(one.topology(), one.second(), repaired, Scope.OPTIMISE);
            for (Placement before : new Placement[] {Placement.EMPTY, repaired}) {
                Placement byDcm = Placer.place(one.byDcm(), one.second(), before, Scope.OPTIMISE);
                if (!one.hasBundles()) {
                    assertThat(Loads.of(one.topology(), one.second(), rebalanced).bandwidth()).as(one.name())
                        .isGreaterThanOrEqualTo(Loads.of(one.byDcm(), one.second(), byDcm).bandwidth() * (1 - TINY));
                }
            }
        });
    }

    /** No placement is below the bound, and often one reaches it. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void boundsTheHighestLoad(long seed) {
        AtomicInteger reached = new AtomicInteger();
        forAll(seed, one -> {
            PodState state = one.state(one.first(), one.fresh());
            LowerBound lower = new LowerBound(state.model);
            double bound = PodBound.of(state, lower);
            assertThat(bound).as(one.name()).isLessThanOrEqualTo(state.highestLoad() * (1 + TINY))
                .isGreaterThanOrEqualTo(lower.ofSplit());
            reached.addAndGet(bound >= state.highestLoad() * (1 - TINY) ? 1 : 0);
        });
        assertThat(reached).hasValueGreaterThan(FABRICS / 2);
    }

    /** A repair moves no flow whose way is left; placing again changes nothing but for a lower highest load. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void movesOnlyTouchedFlows(long seed) {
        forAll(seed, one -> {
            Placement fresh = one.fresh();
            Placement repaired = Placer.place(one.topology(), one.second(), fresh, Scope.REPAIR);
            PodState left = one.state(one.second(), fresh);
            PodState now = one.state(one.second(), repaired);
            for (int flow = 0; flow < left.routes.length; flow++) {
                if (left.routes[flow].length > 0) {
                    assertThat(now.routes[flow][0]).as("%s, flow %d", one.name(), flow)
                        .isEqualTo(left.routes[flow][0]);
                }
            }
            for (Scope scope : Scope.values()) {
                PodState again =
                    one.state(one.second(), Placer.place(one.topology(), one.second(), repaired, scope));
                if (!Arrays.deepEquals(again.routes, now.routes)) {
                    assertThat(again.highestLoad()).as("%s, %s", one.name(), scope)
                        .isLessThan(now.highestLoad() * (1 - TINY));
                }
            }
        });
    }

    /** When the policy changes back nothing by pod is left, and what is placed is as good as before. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void leavesNothingBehind(long seed) {
        forAll(seed, one -> {
            Placement back = Placer.place(one.byDcm(), one.first(), one.fresh(), Scope.OPTIMISE);
            assertThat(back.routes().values()).as(one.name()).allSatisfy(route ->
                assertThat(route.fromPods()).isEmpty());
        });
    }

    /** The route of a pod differs from that of the DCM, and has none for pods itself. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void hasRoutesByPodOnlyWhereTheyDiffer(long seed) {
        forAll(seed, one -> one.fresh().routes().values().forEach(route -> route.fromPods().values().forEach(other ->
            assertThat(other).as(one.name()).isNotEqualTo(route.withPods(new TreeMap<>()))
                .satisfies(each -> assertThat(each.fromPods()).isEmpty())
                .satisfies(each -> assertThat(each.planes()).containsExactlyInAnyOrderElementsOf(route.planes())))));
    }

    /** Three DCMs per rack fill two planes evenly when each may use both. */
    @Test
    void splitsThreeDcmsOverTwoPlanes() {
        FabricSpec spec = TestFabrics.regular("small", 2, 2, 4, 1, 1, 3);
        assertThat(bandwidth(spec, UnusableLinks.ALL_UP)).isCloseTo(60, within(TINY));
        assertThat(bandwidth(TestFabrics.byPod(spec), UnusableLinks.ALL_UP)).isCloseTo(80, within(TINY));
    }

    /** What a node sends to itself uses no link: a pair of nodes, of which each sends one unit over two planes. */
    @Test
    void leavesOutWhatANodeSendsToItself() {
        Topology topology = new Topology(TestFabrics.byPod(TestFabrics.builders(2, 1, 1, 2)));
        Placement placement = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        PodState state =
            new PodState(PlacementModel.events(topology, new UsableFabric(topology, UnusableLinks.ALL_UP)));
        assertThat(IntStream.range(0, state.routes.length).mapToDouble(state::weightOf).toArray())
            .containsExactly(1, 1);
        assertThat(Loads.of(topology, UnusableLinks.ALL_UP, placement).bandwidth()).isCloseTo(40, within(TINY));
    }

    /** Whatever fits whole is not split. */
    @Test
    void splitsNothingWithoutGain() {
        for (FabricSpec spec : new FabricSpec[] {TestFabrics.prototype(), TestFabrics.fig64(4, 6, 40)}) {
            assertThat(Placer.place(new Topology(TestFabrics.byPod(spec)), UnusableLinks.ALL_UP, Placement.EMPTY,
                Scope.OPTIMISE)).isEqualTo(Placer.place(new Topology(spec), UnusableLinks.ALL_UP, Placement.EMPTY,
                    Scope.OPTIMISE));
        }
    }

    /** A cut link between leaf and spine costs the prototype nothing once it is rebalanced: it was 96 of 120 Gbps. */
    @Test
    void losesNothingWithALinkOfThePrototype() {
        Topology topology = new Topology(TestFabrics.byPod(TestFabrics.prototype()));
        UnusableLinks cut = TestFabrics.down("leaf-1-1:s1");
        Placement whole = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        Placement repaired = Placer.place(topology, cut, whole, Scope.REPAIR);
        Placement rebalanced = Placer.place(topology, cut, repaired, Scope.OPTIMISE);
        assertThat(Loads.of(topology, cut, repaired).bandwidth()).isGreaterThanOrEqualTo(96 * (1 - TINY));
        assertThat(Loads.of(topology, cut, rebalanced).bandwidth()).isCloseTo(120, within(TINY));
        assertThat(rebalanced.routes().values()).extracting(Route::fromPods).anyMatch(pods -> !pods.isEmpty());
    }

    private static double bandwidth(FabricSpec spec, UnusableLinks unusable) {
        Topology topology = new Topology(spec);
        return Loads.of(topology, unusable, Placer.place(topology, unusable, Placement.EMPTY, Scope.OPTIMISE))
            .bandwidth();
    }
}
