package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.Wiring;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.planning.FabricSize;
import org.daqfabric.impl.engine.planning.FabricSize.Failure;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bandwidth that the planning equations give for a fabric after a failure. */
class FailureBoundTest {
    private static final double TINY = 1e-6;

    /** It is no less than the placer reaches and no more than any placement could. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void liesBetweenPlacementAndUpperBound(long seed) {
        Random random = new Random(seed);
        for (int count = 0; count < 6; count++) {
            int planes = 2 + random.nextInt(2);
            int spines = 2 + random.nextInt(3);
            int pods = 1 + random.nextInt(3);
            int ros = 1 + random.nextInt(5);
            int racks = 1 + random.nextInt(5);
            FabricSpec spec = TestFabrics.regular("regular", planes, spines, pods, ros, racks, 6);
            FabricSize size = new FabricSize(planes, spines, pods, ros * pods, racks * pods, 10);
            check(size + " whole", spec, UnusableLinks.ALL_UP, size.bandwidth());
            failures(spec).forEach((failure, unusable) ->
                check(size + " without " + failure, spec, unusable, size.without(failure)));
        }
    }

    private static void check(String what, FabricSpec spec, UnusableLinks unusable, double bandwidth) {
        Topology topology = new Topology(spec);
        Placement placement = Placer.place(topology, unusable, Placement.EMPTY, Scope.OPTIMISE);
        double placed = Loads.of(topology, unusable, placement).bandwidth();
        double upperBound = UpperBound.of(spec, new Wiring(spec, unusable));
        assertThat(bandwidth).as(what).isGreaterThanOrEqualTo(placed * (1 - TINY))
            .isLessThanOrEqualTo(upperBound * (1 + TINY));
    }

    private static Map<Failure, UnusableLinks> failures(FabricSpec spec) {
        String ros = spec.pods().get(0).ros().get(0).switchName();
        String rack = spec.pods().get(0).racks().get(0).switchName();
        String leaf = spec.planes().get(0).leaves().get(0).switchName();
        String spine = spec.planes().get(0).spines().get(0).switchName();
        return Map.of(Failure.ROS_UPLINK, between(spec, ros, leaf), Failure.RACK_UPLINK, between(spec, rack, leaf),
            Failure.LEAF_SPINE_LINK, between(spec, leaf, spine), Failure.SPINE, TestFabrics.without(spec, spine),
            Failure.LEAF, TestFabrics.without(spec, leaf));
    }

    private static UnusableLinks between(FabricSpec spec, String one, String other) {
        Set<String> ends = Set.of(one, other);
        List<PortId> links = spec.links().stream()
            .filter(link -> ends.equals(Set.of(link.end().switchName(), link.peer().switchName())))
            .map(link -> link.end()).toList();
        assertThat(links).hasSize(1);
        return new UnusableLinks(Set.copyOf(links));
    }
}
