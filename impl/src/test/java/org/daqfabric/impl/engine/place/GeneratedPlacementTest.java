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
import org.daqfabric.impl.engine.Wiring;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds for every fabric: a thousand generated ones per seed, each with two waves of failures. */
class GeneratedPlacementTest {
    private static final int FABRICS = 1000;

    /** One generated fabric with a history of two failures. */
    private record Case(String name, FabricSpec spec, UnusableLinks first, UnusableLinks second) {
        static Case of(long seed) {
            Random random = new Random(seed);
            FabricSpec spec = TestFabrics.generated(random);
            return new Case("daqfabric.seed=" + seed, spec, TestFabrics.failures(random, spec),
                TestFabrics.failures(random, spec));
        }

        Topology topology() {
            return new Topology(spec);
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

    /** The same fabric, however its lists are ordered, is placed the same every time. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void dependsOnNothingButTheFabric(long seed) {
        forAll(seed, one -> {
            Topology shuffled = new Topology(TestFabrics.shuffled(one.spec(), new Random(seed)));
            Placement fresh = Placer.place(one.topology(), one.first(), Placement.EMPTY, Scope.OPTIMISE);
            assertThat(Placer.place(shuffled, one.first(), Placement.EMPTY, Scope.OPTIMISE)).as(one.name())
                .isEqualTo(fresh);
            assertThat(Placer.place(shuffled, one.second(), fresh, Scope.REPAIR)).as(one.name())
                .isEqualTo(Placer.place(one.topology(), one.second(), fresh, Scope.REPAIR));
        });
    }

    /** Whatever fails, every pair with a physical path has one, whichever way the placement came about. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void leavesNoPairWithoutAPathThatHasOne(long seed) {
        forAll(seed, one -> {
            Placement fresh = Placer.place(one.topology(), one.first(), Placement.EMPTY, Scope.OPTIMISE);
            allPaths(one, one.first(), fresh);
            allPaths(one, one.second(), Placer.place(one.topology(), one.second(), fresh, Scope.REPAIR));
            allPaths(one, one.second(), Placer.place(one.topology(), one.second(), fresh, Scope.OPTIMISE));
        });
    }

    private static void allPaths(Case one, UnusableLinks view, Placement placement) {
        Topology topology = one.topology();
        Wiring wiring = new Wiring(one.spec(), view);
        Routing routing = new Routing(topology, view, placement);
        topology.edges().keySet().forEach(from -> {
            for (Endpoint to : topology.endpoints().values()) {
                if (!from.equals(to.edge())) {
                    assertThat(routing.plane(from, to.address()).isPresent())
                        .as("%s: from %s to %s", one.name(), from, to.name())
                        .isEqualTo(wiring.path(from, topology.podOf(from), to.edge(), to.pod()));
                }
            }
        });
    }

    /** A repair leaves addresses alone whose links all work, and a repaired or optimised fabric has nothing to do. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void movesOnlyWhatIsTouched(long seed) {
        forAll(seed, one -> {
            Topology topology = one.topology();
            Placement fresh = Placer.place(topology, one.first(), Placement.EMPTY, Scope.OPTIMISE);
            for (Scope scope : Scope.values()) {
                sameOrBetter(one, one.first(), fresh, Placer.place(topology, one.first(), fresh, scope));
            }
            Placement repaired = Placer.place(topology, one.second(), fresh, Scope.REPAIR);
            FailureOracle touched = new FailureOracle(one.spec(), new Wiring(one.spec(), one.second()));
            for (Endpoint endpoint : topology.endpoints().values()) {
                Route before = fresh.routes().get(endpoint.address());
                if (before != null && !touched.touched(endpoint, before)) {
                    assertThat(FailureOracle.primary(repaired.routes().get(endpoint.address())))
                        .as("%s: %s", one.name(), endpoint.name()).isEqualTo(FailureOracle.primary(before));
                }
            }
            sameOrBetter(one, one.second(), repaired,
                Placer.place(topology, one.second(), repaired, Scope.REPAIR));
        });
    }

    /** A placement changes only for a lower highest load, or at the same for fewer addresses with partial spines. */
    private static void sameOrBetter(Case one, UnusableLinks view, Placement before, Placement after) {
        if (!after.equals(before)) {
            UsableFabric fabric = new UsableFabric(one.topology(), view);
            boolean better = false;
            for (PlacementModel problem : List.of(PlacementModel.events(one.topology(), fabric),
                PlacementModel.requests(one.topology(), fabric))) {
                PlacementState old = loading(problem, before);
                PlacementState now = loading(problem, after);
                assertThat(now.highest()).as(one.name()).isLessThanOrEqualTo(old.highest() * (1 + 1e-9));
                better |= now.highest() < old.highest() * (1 - 1e-9) || now.partial() < old.partial();
            }
            assertThat(better).as(one.name()).isTrue();
        }
    }

    private static PlacementState loading(PlacementModel problem, Placement placement) {
        PlacementState loading = new PlacementState(problem);
        PreviousPlacement placed = new PreviousPlacement(problem, placement.routes());
        for (int sink = 0; sink < placed.ways.length; sink++) {
            loading.put(sink, placed.ways[sink]);
        }
        return loading;
    }

    /** What the placer thinks of its placement is what the packets make of it. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void knowsTheLoadsItMakes(long seed) {
        forAll(seed, one -> {
            Topology topology = one.topology();
            boolean bundles = one.spec().links().stream().anyMatch(link -> link.end().port().endsWith("b"));
            if (!bundles) {
                UsableFabric fabric = new UsableFabric(topology, one.first());
                PlacementModel problem = PlacementModel.events(topology, fabric);
                Placement placement = Placer.place(topology, one.first(), Placement.EMPTY, Scope.OPTIMISE);
                double highest = loading(problem, placement).highest();
                assertThat(Loads.of(topology, one.first(), placement).links().stream()
                    .mapToDouble(link -> link.relative()).max().orElse(0)).as(one.name())
                    .isCloseTo(highest, within(1e-9));
                assertThat(LowerBound.of(problem)).as(one.name()).isLessThanOrEqualTo(highest * (1 + 1e-9));
            }
        });
    }
}
