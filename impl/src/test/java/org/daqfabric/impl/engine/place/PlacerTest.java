package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.daqfabric.api.placement.FabricView;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.Fabrics;
import org.daqfabric.impl.engine.capacity.LeafSpineEquations;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlacerTest {
    private static Placement fresh(FabricSpec spec) {
        return Placer.place(new Topology(spec), FabricView.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
    }

    private static double bandwidth(FabricSpec spec, FabricView view, Placement placement) {
        return Loads.of(new Topology(spec), view, placement).bandwidth();
    }

    static Stream<Arguments> fig64() {
        return Stream.of(1, 2, 4).flatMap(planes -> Stream.of(1, 2, 3, 4, 5, 6, 7)
            .map(spines -> Arguments.of(planes, spines)));
    }

    /** With 40 DCMs per rack whole DCMs lose nothing against the equations wherever they divide evenly enough. */
    @ParameterizedTest
    @MethodSource
    void fig64(int planes, int spines) {
        FabricSpec spec = Fabrics.fig64(planes, spines, 40);
        double ideal = new LeafSpineEquations(planes, spines, 4, 100, 28, 10).bandwidth();
        int perPlane = 280 / planes;
        // 75 of 100 ROS come over the spines; the fullest spine gets the DCMs of a pod rounded up
        double whole = Math.min(10.0 / (100 * 40 / planes), 10.0 / (75 * Math.ceilDiv(perPlane, spines)))
            * 1120 * 100;
        assertThat(bandwidth(spec, FabricView.ALL_UP, fresh(spec))).isCloseTo(whole, within(1e-6))
            .isLessThanOrEqualTo(ideal + 1e-6);
    }

    static Stream<Arguments> single() {
        return Stream.of(
            Arguments.of(Fabrics.fig64(4, 6, 40), "leaf-1-1:s1", 1066.6667),
            Arguments.of(Fabrics.fig64(4, 5, 40), "leaf-1-1:s1", 995.5556),
            Arguments.of(Fabrics.fig64(4, 6, 40), "spine-1-1", 1066.6667),
            Arguments.of(Fabrics.fig64(4, 5, 40), "spine-1-1", 995.5556),
            Arguments.of(Fabrics.prototype(), "leaf-1-1:s1", 96),
            Arguments.of(Fabrics.prototype(), "spine-1-1", 96));
    }

    /** After one failure the best that whole DCMs allow is reached in every scope. */
    @ParameterizedTest(name = "{1}")
    @MethodSource
    void single(FabricSpec spec, String what, double expected) {
        FabricView view = what.contains(":") ? Fabrics.down(what) : Fabrics.without(spec, what);
        Topology topology = new Topology(spec);
        Placement before = fresh(spec);
        for (Scope scope : Scope.values()) {
            assertThat(bandwidth(spec, view, Placer.place(topology, view, before, scope)))
                .isCloseTo(expected, within(1e-3));
        }
        assertThat(bandwidth(spec, view, Placer.place(topology, view, Placement.EMPTY, Scope.OPTIMISE)))
            .isCloseTo(expected, within(1e-3));
    }
}
