package org.daqfabric.impl.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.capacity.LeafSpineEquations;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.check.Location;
import org.junit.jupiter.api.Test;

/** The equations are for regular fabrics, and are not applied to others. */
class FabricShapeTest {
    private static final FabricSpec PROTOTYPE = TestFabrics.prototype();

    @Test
    void regularFabricsHaveNumbers() {
        assertThat(FabricShape.of(PROTOTYPE)).isEqualTo(new LeafSpineEquations(2, 2, 2, 6, 6, 10));
        assertThat(FabricShape.of(TestFabrics.fig64(4, 6, 2))).isEqualTo(new LeafSpineEquations(4, 6, 4, 100, 28, 10));
        assertThat(FabricShape.of(TestFabrics.shuffled(PROTOTYPE, new Random(1))))
            .isEqualTo(new LeafSpineEquations(2, 2, 2, 6, 6, 10));
    }

    @Test
    void irregularOnesAreRefusedWithWhatDiffers() {
        assertRefused("planes differ in spines", with(planes -> List.of(planes.get(0), new Plane(2,
            planes.get(1).spines().subList(0, 1), planes.get(1).leaves())), pods -> pods, links -> links));
        assertRefused("pods differ in ROS", with(planes -> planes, pods -> List.of(pods.get(0), new Pod(2,
            pods.get(1).ros().subList(0, 2), pods.get(1).racks())), links -> links));
        assertRefused("pods differ in HLT racks", with(planes -> planes, pods -> List.of(pods.get(0), new Pod(2,
            pods.get(1).ros(), pods.get(1).racks().subList(0, 2))), links -> links));
        assertRefused("ROS differ in fragment-weight", with(planes -> planes, pods -> List.of(pods.get(0), new Pod(2,
            pods.get(1).ros().stream().map(ros -> new Ros(ros.name(), ros.address(), ros.switchName(), 2)).toList(),
            pods.get(1).racks())), links -> links));
        assertRefused("has not exactly one link to each switch above it",
            with(planes -> planes, pods -> pods, links -> links.subList(1, links.size())));
        assertRefused("links differ in capacity", with(planes -> planes, pods -> pods, links -> {
            List<Link> changed = new java.util.ArrayList<>(links);
            Link first = changed.get(0);
            changed.set(0, new Link(first.end(), first.peer(), 40, first.adminState()));
            return changed;
        }));
        assertRefused("is not complete", with(planes -> List.of(), pods -> List.of(), links -> List.of()));
    }

    private static FabricSpec with(UnaryOperator<List<Plane>> planes, UnaryOperator<List<Pod>> pods,
            UnaryOperator<List<Link>> links) {
        return new FabricSpec("odd", planes.apply(PROTOTYPE.planes()), pods.apply(PROTOTYPE.pods()),
            PROTOTYPE.switches(),
            links.apply(PROTOTYPE.links()), PROTOTYPE.policy());
    }

    private static void assertRefused(String why, FabricSpec spec) {
        assertThatThrownBy(() -> FabricShape.of(spec)).isInstanceOf(InvalidInputException.class)
            .hasMessageStartingWith("fabric odd is not regular: ").hasMessageContaining(why)
            .extracting(e -> ((InvalidInputException) e).problems().getFirst().location())
                .isEqualTo(Location.input("fabric"));
    }
}
