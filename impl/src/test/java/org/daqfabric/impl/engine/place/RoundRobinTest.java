package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Comparator;
import java.util.Map;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundRobinTest {
    private static final Comparator<PlaneChoice> BY_SPINE =
        Comparator.comparingInt(PlaneChoice::spine).thenComparingInt(PlaneChoice::plane);

    private static Comparator<Endpoint> order(String keys) {
        Comparator<Endpoint> order = Comparator.comparing(any -> 0);
        for (String key : keys.split(" ")) {
            order = order.thenComparing(switch (key) {
                case "pod" -> Comparator.comparing(Endpoint::pod);
                case "rack" -> Comparator.comparing(dcm -> dcm.edge().substring(dcm.edge().length() - 2));
                default -> Comparator.comparing(dcm -> dcm.name().substring(dcm.name().length() - 3));
            });
        }
        return order;
    }

    /** Errata 8: what round robin makes of the Fig. 6.4 fabric depends on how its two lists are ordered. */
    @ParameterizedTest
    @CsvSource({
        "pod rack dcm, false, 933.33", "pod rack dcm, true, 1120",
        "pod dcm rack, false, 1018.18", "pod dcm rack, true, 1120",
        "rack dcm pod, false, 317.73", "rack dcm pod, true, 280",
        "dcm pod rack, false, 800", "dcm pod rack, true, 280",
        "dcm rack pod, false, 317.73", "dcm rack pod, true, 280",
    })
    void dependsOnTheOrderOfItsLists(String keys, boolean bySpine, double bandwidth) {
        Topology topology = new Topology(TestFabrics.fig64(4, 6, 40));
        PlacementModel problem = PlacementModel.events(topology, new UsableFabric(topology, UnusableLinks.ALL_UP));
        PlacementState loading = new RoundRobin(problem, order(keys), bySpine ? BY_SPINE : RoundRobin.BY_PLANE)
            .solve(new PreviousPlacement(problem, Map.of()), Scope.OPTIMISE);
        assertThat(1120 * 100 / loading.highest()).isCloseTo(bandwidth, within(0.005));
    }

    private static FabricSpec roundRobin(FabricSpec spec) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), spec.links(),
            TestFabrics.policy(Policy.Algorithm.ROUND_ROBIN));
    }

    /** The policy's order is that of racks and of planes; errata 9's loop for a DCM without any path does not arise. */
    @Test
    void isThePlacementOfThePolicy() {
        FabricSpec spec = roundRobin(TestFabrics.fig64(4, 6, 40));
        Placement placement = Placer.place(new Topology(spec), UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        assertThat(Loads.of(new Topology(spec), UnusableLinks.ALL_UP, placement).bandwidth())
            .isCloseTo(933.33, within(0.005));
        UnusableLinks view = TestFabrics.without(spec, "rack-1-01");
        assertThat(Placer.place(new Topology(spec), view, placement, Scope.OPTIMISE).routes()).hasSize(1220 - 40);
    }
}
