package org.daqfabric.impl.engine.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

class CapacitiesTest {
    private static Placement fresh(Topology topology, UnusableLinks unusable) {
        return Placer.place(topology, unusable, Placement.EMPTY, Scope.OPTIMISE);
    }

    /** In the whole fabric every rack uplink is full; the first by name is reported. */
    @Test
    void namesTheBottleneckSendingPortFirst() {
        Topology topology = new Topology(TestFabrics.fig64(4, 6, 40));
        Capacity capacity = Capacities.capacity(topology, UnusableLinks.ALL_UP, fresh(topology, UnusableLinks.ALL_UP));
        assertThat(capacity.bandwidth()).isCloseTo(1120, within(1e-6));
        assertThat(capacity.nominal()).isCloseTo(1120, within(1e-6));
        assertThat(capacity.utilisation()).isCloseTo(1, within(1e-9));
        assertThat(capacity.bottleneck()).isEqualTo("leaf-1-1:h1 -> rack-1-01:p1");
    }

    /** The placement in force is judged under a failure before it is repaired. */
    @Test
    void judgesAPlacementUnderAFailure() {
        Topology topology = new Topology(TestFabrics.prototype());
        Placement placement = fresh(topology, UnusableLinks.ALL_UP);
        Capacity capacity = Capacities.capacity(topology, TestFabrics.down("leaf-1-1:s1"), placement);
        // traffic to the 12 DCMs of plane 1 in pod 1, and in the other pod from pod 1, all crosses spine 2
        assertThat(capacity.bandwidth()).isCloseTo(48 * 6 * 10 / 36.0, within(1e-6));
        assertThat(capacity.bottleneck()).isEqualTo("leaf-1-1:s2 -> spine-1-2:l1");
        assertThat(capacity.utilisation()).isCloseTo(80 / 120.0, within(1e-9));
    }

    /** Pairs without a path add no load, and the ROS that reach a DCM are counted without them. */
    @Test
    void countsTheReachableRos() {
        FabricSpec spec = TestFabrics.prototype();
        Topology topology = new Topology(spec);
        UnusableLinks unusable = TestFabrics.without(spec, "ros-1-01");
        Loads loads = Loads.of(topology, unusable, fresh(topology, unusable));
        assertThat(loads.reachableRos()).hasSize(48).allSatisfy((dcm, ros) -> assertThat(ros).isEqualTo(5));
        assertThat(loads.delivered()).isEqualTo(48 * 5);
    }

    /** Drained links do not count for the bandwidth, but do for the nominal bandwidth. */
    @Test
    void measuresAgainstTheWholeFabric() {
        FabricSpec spec = TestFabrics.prototype();
        Topology drained = new Topology(new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(),
            spec.links().stream().map(link -> link.end().port().equals("p2")
                ? new Link(link.end(), link.peer(), link.capacity(), AdminState.DRAINED) : link).toList(),
            spec.policy()));
        Capacity capacity =
            Capacities.capacity(drained, UnusableLinks.ALL_UP, fresh(drained, UnusableLinks.ALL_UP));
        assertThat(capacity.bandwidth()).isCloseTo(60, within(1e-6));
        assertThat(capacity.nominal()).isCloseTo(120, within(1e-6));
    }

    /** Without traffic there is no bottleneck. */
    @Test
    void hasNoBottleneckWithoutTraffic() {
        Topology topology = new Topology(TestFabrics.regular("idle", 2, 2, 2, 0, 2, 3));
        Capacity capacity = Capacities.capacity(topology, UnusableLinks.ALL_UP, fresh(topology, UnusableLinks.ALL_UP));
        assertThat(capacity).isEqualTo(new Capacity(0, 0, "", 0));
    }

    /** Parallel links share traffic in proportion to their capacities; a link that is back gets its share again. */
    @Test
    void sharesParallelLinks() {
        FabricSpec spec = TestFabrics.regular("lanes", 1, 1, 1, 2, 1, 10);
        List<Link> links = new ArrayList<>(spec.links());
        links.add(new Link(new PortId("rack-1-01", "p1b"),
            new PortId("leaf-1-1", "h1b"), 40, AdminState.IN_SERVICE));
        Topology topology = new Topology(
            new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), links, spec.policy()));
        Loads loads = Loads.of(topology, UnusableLinks.ALL_UP, fresh(topology, UnusableLinks.ALL_UP));
        assertThat(loads.links()).filteredOn(link -> link.segment().lower().switchName().equals("rack-1-01"))
            .extracting(LinkLoad::load).containsExactly(4.0, 16.0);
        Placement before = fresh(topology, UnusableLinks.ALL_UP);
        Placement after = Placer.place(topology, TestFabrics.down("rack-1-01:p1"), before, Scope.REPAIR);
        assertThat(Placer.place(topology, UnusableLinks.ALL_UP, after, Scope.REPAIR).routes())
            .isEqualTo(before.routes());
    }

    /** The load of a switch is that of its fullest link relative to the bottleneck. */
    @Test
    void givesTheLoadOfASwitch() {
        Topology topology = new Topology(TestFabrics.fig64(4, 6, 40));
        Loads loads = Loads.of(topology, UnusableLinks.ALL_UP, fresh(topology, UnusableLinks.ALL_UP));
        assertThat(loads.relativeToBottleneck("spine-1-1")).isCloseTo(0.9, within(1e-9));
        assertThat(loads.relativeToBottleneck("leaf-1-1")).isCloseTo(1, within(1e-9));
    }
}
