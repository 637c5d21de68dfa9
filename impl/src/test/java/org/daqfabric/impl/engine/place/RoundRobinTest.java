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
        Comparator<Endpoint> order = Comparator.comparing(dcm -> 0);
        for (String key : keys.split(" ")) {
            order = order.thenComparing(switch (key) {
                case "pod" -> Comparator.comparing(Endpoint::pod);
                case "rack" -> Comparator.comparing(dcm -> dcm.edge().substring(dcm.edge().length() - 2));
                default -> Comparator.comparing(dcm -> dcm.name().substring(dcm.name().length() - 3));
            });
        }
        return order;
    }

    /** Errata 8: the bandwidth of round robin in the Fig. 6.4 fabric depends on the order of addresses and spines. */
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
        PlacementModel model = PlacementModel.events(topology, new UsableFabric(topology, UnusableLinks.ALL_UP));
        PlacementState state = new RoundRobin(model, order(keys), bySpine ? BY_SPINE : RoundRobin.BY_PLANE)
            .solve(new PreviousPlacement(model, Map.of()), Scope.OPTIMISE);
        assertThat(1120 * 100 / state.highestLoad()).isCloseTo(bandwidth, within(0.005));
    }

    private static FabricSpec roundRobin(FabricSpec spec) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), spec.links(),
            TestFabrics.policy(Policy.Algorithm.ROUND_ROBIN));
    }

    /** The policy round-robin orders by rack and by plane; a DCM without a path does not cause the loop of errata 9. */
    @Test
    void placesUnderThePolicyRoundRobin() {
        FabricSpec spec = roundRobin(TestFabrics.fig64(4, 6, 40));
        Placement placement = Placer.place(new Topology(spec), UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        assertThat(Loads.of(new Topology(spec), UnusableLinks.ALL_UP, placement).bandwidth())
            .isCloseTo(933.33, within(0.005));
        UnusableLinks unusable = TestFabrics.without(spec, "rack-1-01");
        assertThat(Placer.place(new Topology(spec), unusable, placement, Scope.OPTIMISE).routes()).hasSize(1220 - 40);
    }
}
