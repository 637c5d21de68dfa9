package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Policy.Granularity;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.HostFabrics;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.compile.Compiler;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SpineRepairTest {
    private static final int FABRICS = 200;
    private static final double TINY = 1e-9;

    /** A placed fabric, every third with other hosts, in which one more link between a leaf and a spine fails. */
    private record Case(String name, Topology topology, UnusableLinks before, UnusableLinks now, int plane,
            Placement placed) {
        static Optional<Case> of(long seed) {
            Random random = new Random(seed);
            FabricSpec plain = TestFabrics.generatedWithBuilders(random);
            FabricSpec spec = seed % 3 == 0 ? HostFabrics.with(plain, new Random(seed)) : plain;
            UnusableLinks before = TestFabrics.failures(random, spec);
            List<Link> links = spec.links().stream().filter(link -> link.end().switchName().startsWith("leaf-")
                && !before.down().contains(link.end())).toList();
            if (links.isEmpty()) {
                return Optional.empty();
            }
            Link failing = links.get(random.nextInt(links.size()));
            Set<PortId> down = new HashSet<>(before.down());
            down.add(failing.end());
            Topology topology = new Topology(spec);
            return Optional.of(new Case("daqfabric.seed=" + seed, topology, before, new UnusableLinks(down),
                Integer.parseInt(failing.end().switchName().split("-")[1]),
                Placer.place(topology, before, Placement.EMPTY, Scope.OPTIMISE)));
        }

        Optional<Placement> repaired() {
            return SpineRepair.repair(topology, now, placed);
        }

        /** Whether each plane leads from the same pods to the same as before. */
        boolean leads() {
            UsableFabric old = new UsableFabric(topology, before);
            UsableFabric left = new UsableFabric(topology, now);
            for (int from = 0; from < left.pods(); from++) {
                for (int to = 0; to < left.pods(); to++) {
                    if (old.leads(left.plane(plane), from, to) != left.leads(left.plane(plane), from, to)) {
                        return false;
                    }
                }
            }
            return true;
        }

        /** The same with one more failure: of the leaf whose link fails, or of one of its uplinks to an edge switch. */
        Case withoutLeaf(Random random) {
            Set<PortId> failed = new HashSet<>(now.down());
            failed.removeAll(before.down());
            String leaf = failed.iterator().next().switchName();
            List<PortId> links = topology.segments(leaf).stream().map(segment -> segment.id()).toList();
            failed.addAll(random.nextBoolean() ? links : List.of(links.get(random.nextInt(links.size()))));
            failed.addAll(before.down());
            return new Case(name, topology, before, new UnusableLinks(failed), plane, placed);
        }

        Map<String, Program> programs(UnusableLinks unusable, Placement placement) {
            PortNumbers numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY, new TreeMap<>());
            Compiler compiler = new Compiler(topology, unusable, placement, numbers);
            Map<String, Program> programs = new TreeMap<>();
            topology.roles().keySet().forEach(each ->
                programs.put(each, compiler.compile(each, numbers.of(each).keySet())));
            return programs;
        }
    }

    /**
     * The leaves of the failed link's plane change, and with the link itself the spines, but no edge switch and no
     * other plane; and all have their paths.
     */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void changesOnlySwitchesOfThePlane(long seed) {
        int repaired = 0;
        for (long at = seed; at < seed + FABRICS; at++) {
            Case one = Case.of(at).orElse(null);
            if (one != null) {
                assertThat(one.repaired().isPresent() || !one.leads()).as(one.name()).isTrue();
            }
            if (one != null && one.leads()) {
                repaired++;
                Placement after = one.repaired().orElseThrow();
                Map<String, Program> programs = one.programs(one.before(), one.placed());
                // spines of the plane choose between parallel links
                boolean parallel = after.lanes().keySet().stream()
                    .anyMatch(bundle -> bundle.upper().startsWith("spine-%d-".formatted(one.plane())));
                Map<String, Program> detoured = one.programs(one.now(), one.placed());
                one.programs(one.now(), after).forEach((name, program) -> {
                    if (!name.startsWith("leaf-%d-".formatted(one.plane()))
                        && !(parallel && name.startsWith("spine-%d-".formatted(one.plane())))) {
                        assertThat(program).as("%s, %s, once the link is avoided", one.name(), name)
                            .isEqualTo(detoured.get(name));
                    }
                    if (!name.matches("(leaf|spine)-%d-.*".formatted(one.plane()))) {
                        assertThat(program).as("%s, %s", one.name(), name).isEqualTo(programs.get(name));
                    }
                });
                assertThat(Loads.of(one.topology(), one.now(), after).reachableRos()).as(one.name())
                    .isEqualTo(Loads.of(one.topology(), one.before(), one.placed()).reachableRos());
            }
        }
        assertThat(repaired).isGreaterThan(FABRICS / 4);
    }

    /**
     * Without a leaf, or an uplink of an edge switch, as many pairs have a path as after a placement, by the same
     * planes in the same order; leaves and spines of other planes stay as they are.
     */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void takesTheNextPlaneWithoutALeaf(long seed) {
        int repaired = 0;
        for (long at = seed; at < seed + FABRICS; at++) {
            Case one = Case.of(at).map(found -> found.withoutLeaf(new Random(found.name().hashCode()))).orElse(null);
            Placement after = one == null ? null : one.repaired().orElse(null);
            if (after != null) {
                repaired++;
                assertThat(Loads.of(one.topology(), one.now(), after).reachableRos()).as(one.name()).isEqualTo(
                    Loads.of(one.topology(), one.now(), Placer.place(one.topology(), one.now(), one.placed(),
                        Scope.REPAIR)).reachableRos());
                after.routes().forEach((address, route) -> assertThat(route.planes()).as(one.name())
                    .isEqualTo(one.placed().routes().get(address).planes()));
                Map<String, Program> programs = one.programs(one.before(), one.placed());
                one.programs(one.now(), after).forEach((name, program) -> {
                    boolean ofFabric = name.matches("(leaf|spine)-.*");
                    if (ofFabric && !name.matches("(leaf|spine)-%d-.*".formatted(one.plane()))) {
                        assertThat(program).as("%s, %s", one.name(), name).isEqualTo(programs.get(name));
                    }
                });
            }
        }
        assertThat(repaired).isGreaterThan(FABRICS / 2);
    }

    /** What has not lost its spine keeps it; by pod every flow has a spine that joins its pods. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void movesOnlyWhatLostItsSpine(long seed) {
        for (long at = seed; at < seed + FABRICS; at++) {
            Case.of(at).filter(Case::leads).ifPresent(one -> {
                Placement after = one.repaired().orElseThrow();
                PodState state =
                    new PodState(PlacementModel.events(one.topology(), new UsableFabric(one.topology(), one.now())));
                PodPrevious was = new PodPrevious(state, one.placed().routes());
                PodPrevious is = new PodPrevious(state, after.routes());
                for (int flow = 0; flow < state.routes.length; flow++) {
                    String what = one.name() + ", flow " + flow;
                    if (state.servesAsMuch(flow, was.routes[flow])) {
                        assertThat(is.routes[flow]).as(what).isEqualTo(was.routes[flow]);
                    } else if (one.topology().spec().policy().placement().byPod()) {
                        assertThat(state.servesAsMuch(flow, is.routes[flow])).as(what).isTrue();
                    }
                }
                after.routes().forEach((address, route) -> {
                    Route old = one.placed().routes().get(address);
                    one.topology().spec().pods().forEach(pod -> {
                        assertThat(route.from(pod.id()).planes()).as(one.name())
                            .isEqualTo(old.from(pod.id()).planes());
                        assertThat(route.fromPods().values()).as(one.name())
                            .doesNotContain(route.withPods(new TreeMap<>()));
                    });
                });
            });
        }
    }

    /** Without a failure nothing changes. */
    @ParameterizedTest(name = "daqfabric.seed={0}")
    @MethodSource(Seeds.SOURCE)
    void keepsWhatIsWhole(long seed) {
        for (long at = seed; at < seed + FABRICS; at++) {
            Case.of(at).ifPresent(one -> assertThat(SpineRepair.repair(one.topology(), one.before(), one.placed()))
                .as(one.name()).hasValue(one.placed()));
        }
    }

    /** The load of the lost link spreads over the spines that are left. */
    @ParameterizedTest
    @EnumSource(Granularity.class)
    void spreadsOverTheSpinesThatAreLeft(Granularity granularity) {
        Topology topology = new Topology(TestFabrics.placed(TestFabrics.fig64(2, 6, 40), granularity));
        UnusableLinks cut = TestFabrics.down("leaf-1-1:s1");
        Placement placed = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        Placement repaired = SpineRepair.repair(topology, cut, placed).orElseThrow();
        // five of six uplinks are left to half of what the pod sends to and receives from the others
        assertThat(Loads.of(topology, cut, repaired).bandwidth()).isBetween(520.0, 560 + TINY);
    }

    /** What no spine of its plane joins any more takes another plane. */
    @Test
    void takesAnotherPlaneWithoutASpine() {
        Topology topology = new Topology(TestFabrics.regular("one", 2, 1, 2, 1, 1, 4));
        UnusableLinks cut = TestFabrics.down("leaf-1-1:s1");
        Placement placed = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        Placement repaired = SpineRepair.repair(topology, cut, placed).orElseThrow();
        assertThat(repaired).isEqualTo(placed);
        assertThat(Loads.of(topology, cut, repaired).delivered())
            .isCloseTo(Loads.of(topology, UnusableLinks.ALL_UP, placed).delivered(), within(TINY));
    }

    /** A plane that the routes do not have, as it led nowhere before, is needed when it is all that is left. */
    @Test
    void isNotEnoughIfARouteLacksAPlane() {
        Topology topology = new Topology(TestFabrics.regular("one", 2, 1, 2, 1, 1, 4));
        Placement placed = Placer.place(topology, TestFabrics.down("rack-1-01:p1"), Placement.EMPTY, Scope.OPTIMISE);
        assertThat(SpineRepair.repair(topology, TestFabrics.down("rack-1-01:p2"), placed)).isEmpty();
    }
}
