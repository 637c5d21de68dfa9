package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Policy.Granularity;
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

/** What holds for every fabric: a thousand generated ones per seed, each with two sets of failures. */
class GeneratedPlacementTest {
    private static final int FABRICS = 1000;

    /** A generated fabric, the links that have failed when it is first placed, and those that have failed later. */
    private record Case(String name, FabricSpec spec, UnusableLinks first, UnusableLinks second) {
        static Case of(long seed) {
            Random random = new Random(seed);
            FabricSpec spec = TestFabrics.generatedWithBuilders(random);
            return new Case("daqfabric.seed=" + seed, spec, TestFabrics.failures(random, spec),
                TestFabrics.failures(random, spec));
        }

        /** The same, placed with a granularity. */
        Case placed(Granularity granularity) {
            return new Case(name, TestFabrics.placed(spec, granularity), first, second);
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

    /** The same fabric gets the same placement, however its lists are ordered. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void doesNotDependOnTheOrderOfLists(long seed) {
        forAll(seed, one -> {
            Topology shuffled = new Topology(TestFabrics.shuffled(one.spec(), new Random(seed)));
            Placement fresh = Placer.place(one.topology(), one.first(), Placement.EMPTY, Scope.OPTIMISE);
            assertThat(Placer.place(shuffled, one.first(), Placement.EMPTY, Scope.OPTIMISE)).as(one.name())
                .isEqualTo(fresh);
            assertThat(Placer.place(shuffled, one.second(), fresh, Scope.REPAIR)).as(one.name())
                .isEqualTo(Placer.place(one.topology(), one.second(), fresh, Scope.REPAIR));
        });
    }

    /** Every pair with a physical path has one in the placement, whether placed fresh, repaired or optimised. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void usesEveryPhysicalPathThatIsLeft(long seed) {
        forAll(seed, one -> {
            Placement fresh = Placer.place(one.topology(), one.first(), Placement.EMPTY, Scope.OPTIMISE);
            allPaths(one, one.first(), fresh);
            allPaths(one, one.second(), Placer.place(one.topology(), one.second(), fresh, Scope.REPAIR));
            allPaths(one, one.second(), Placer.place(one.topology(), one.second(), fresh, Scope.OPTIMISE));
        });
    }

    private static void allPaths(Case one, UnusableLinks unusable, Placement placement) {
        Topology topology = one.topology();
        Wiring wiring = new Wiring(one.spec(), unusable);
        Routing routing = new Routing(topology, unusable, placement);
        topology.edges().keySet().forEach(from -> {
            for (Endpoint to : topology.endpoints().values()) {
                if (!from.equals(to.edge())) {
                    assertThat(routing.plane(from, to.address()).isPresent())
                        .as("%s: from %s to %s", one.name(), from, to.name())
                        .isEqualTo(wiring.hasPath(from, topology.podOf(from), to.edge(), to.pod()));
                }
            }
        });
    }

    /** A repair moves no address whose links all work; placing again without a new failure moves nothing. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void movesOnlyTouchedAddresses(long seed) {
        forAll(seed, given -> {
            Case one = given.placed(Granularity.DCM);
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

    /** A placement changes only for a lower highest load, or for fewer addresses on partial spines at the same load. */
    private static void sameOrBetter(Case one, UnusableLinks unusable, Placement before, Placement after) {
        if (!after.equals(before)) {
            UsableFabric fabric = new UsableFabric(one.topology(), unusable);
            boolean better = false;
            for (PlacementModel model : List.of(PlacementModel.events(one.topology(), fabric),
                PlacementModel.requests(one.topology(), fabric))) {
                PlacementState old = state(model, before);
                PlacementState now = state(model, after);
                assertThat(now.highestLoad()).as(one.name()).isLessThanOrEqualTo(old.highestLoad() * (1 + 1e-9));
                better |= now.highestLoad() < old.highestLoad() * (1 - 1e-9)
                    || now.partialRoutes() < old.partialRoutes();
            }
            assertThat(better).as(one.name()).isTrue();
        }
    }

    private static PlacementState state(PlacementModel model, Placement placement) {
        PlacementState state = new PlacementState(model);
        PreviousPlacement placed = new PreviousPlacement(model, placement.routes());
        for (int address = 0; address < placed.routes.length; address++) {
            state.assign(address, placed.routes[address]);
        }
        return state;
    }

    /** The highest load in the placement state equals that of Loads, which follows packets, and is above the bound. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void computesTheLoadsThatPacketsCause(long seed) {
        forAll(seed, given -> {
            Case one = given.placed(Granularity.DCM);
            Topology topology = one.topology();
            boolean hasBundles = one.spec().links().stream().anyMatch(link -> link.end().port().endsWith("b"));
            if (!hasBundles) {
                UsableFabric fabric = new UsableFabric(topology, one.first());
                PlacementModel model = PlacementModel.events(topology, fabric);
                Placement placement = Placer.place(topology, one.first(), Placement.EMPTY, Scope.OPTIMISE);
                double highest = state(model, placement).highestLoad();
                assertThat(Loads.of(topology, one.first(), placement).links().stream()
                    .mapToDouble(link -> link.relative()).max().orElse(0)).as(one.name())
                    .isCloseTo(highest, within(1e-9));
                assertThat(new LowerBound(model).ofWhole()).as(one.name()).isLessThanOrEqualTo(highest * (1 + 1e-9));
            }
        });
    }
}
