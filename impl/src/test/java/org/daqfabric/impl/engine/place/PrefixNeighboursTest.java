package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Placement where rules to prefixes are wanted. */
class PrefixNeighboursTest {
    private static final int CASES = 100;

    /** Each rack has the same routes as otherwise and each link the same load, now and after any single failure. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void changesNoLoad(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = TestFabrics.readdressed(TestFabrics.generated(random), random);
            UnusableLinks unusable = TestFabrics.failures(random, spec);
            Topology topology = new Topology(spec);
            String when = "seed " + seed + " case " + number;
            Placement placed = Placer.place(topology, unusable, Placement.EMPTY, Scope.OPTIMISE);
            Placement together = Placer.place(new Topology(TestFabrics.compressed(spec)), unusable, Placement.EMPTY,
                Scope.OPTIMISE);
            assertThat(routeCounts(topology, together)).as(when).isEqualTo(routeCounts(topology, placed));
            assertThat(loads(topology, unusable, together)).as(when).isEqualTo(loads(topology, unusable, placed));
            for (Link link : spec.links()) {
                UnusableLinks without = TestFabrics.down(link.end().toString());
                assertThat(loads(topology, without, together)).as("%s without %s", when, link.end())
                    .isEqualTo(loads(topology, without, placed));
            }
        }
    }

    /** DCMs that are placed already are treated as otherwise. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void movesNoPlacedDcm(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = TestFabrics.generated(random);
            Placement before = Placer.place(new Topology(spec), UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
            UnusableLinks unusable = TestFabrics.failures(random, spec);
            for (Scope scope : Scope.values()) {
                assertThat(Placer.place(new Topology(TestFabrics.compressed(spec)), unusable, before, scope))
                    .as("seed %d case %d %s", seed, number, scope)
                    .isEqualTo(Placer.place(new Topology(spec), unusable, before, scope));
            }
        }
    }

    /** In each rack of the prototype the plane changes once from the first address to the last, not seven times. */
    @Test
    void givesNeighboursTheSamePlanes() {
        Topology topology = new Topology(TestFabrics.compressed(TestFabrics.prototype()));
        Placement placement = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        Map<String, List<Integer>> primaries = new TreeMap<>();
        topology.endpoints().values().stream().filter(Endpoint::isDcm).collect(Collectors.groupingBy(Endpoint::edge))
            .forEach((rack, dcms) -> primaries.put(rack, dcms.stream()
                .map(dcm -> placement.routes().get(dcm.address()).planes().get(0)).toList()));
        assertThat(primaries).hasSize(6).allSatisfy((rack, planes) ->
            assertThat(planes).isSorted().contains(1, 2));
    }

    private static Map<String, Map<Object, Long>> routeCounts(Topology topology, Placement placement) {
        return topology.endpoints().values().stream().filter(host -> placement.routes().containsKey(host.address()))
            .collect(Collectors.groupingBy(host -> host.edge() + " " + host.weight(), Collectors.groupingBy(
                host -> placement.routes().get(host.address()), Collectors.counting())));
    }

    /** Rounded, since sums depend on the order of what is summed. */
    private static List<String> loads(Topology topology, UnusableLinks unusable, Placement placement) {
        return Loads.of(topology, unusable, placement).links().stream()
            .map(link -> "%s %.6f".formatted(link, link.load())).toList();
    }
}
