package org.daqfabric.impl.engine.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.daqfabric.api.placement.Bundle;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

class RoutingTest {
    private final FabricSpec spec = TestFabrics.regular("small", 2, 4, 2, 1, 1, 1);
    private final Address dcm = spec.pods().get(1).racks().get(0).dcms().get(0).address();
    private final Placement placement = new Placement(new TreeMap<>(Map.of(dcm, new Route(List.of(2, 1),
        new TreeMap<>(Map.of(1, new SpineChoice(2, 4), 2, new SpineChoice(3, 1)))))), new TreeMap<>());

    private Routing routing(UnusableLinks view) {
        return new Routing(new Topology(spec), view, placement);
    }

    /** The primary plane comes first, and a plane is skipped if it does not connect source and destination. */
    @Test
    void takesPlanesInOrderOfPreference() {
        assertThat(routing(UnusableLinks.ALL_UP).planes("ros-1-01", dcm)).containsExactly(2, 1);
        assertThat(routing(TestFabrics.down("ros-1-01:p2")).planes("ros-1-01", dcm)).containsExactly(1);
        assertThat(routing(TestFabrics.down("ros-1-01:p2")).planes("ros-2-01", dcm)).containsExactly(2, 1);
        assertThat(routing(TestFabrics.down("rack-2-01:p2")).planes("ros-1-01", dcm)).containsExactly(1);
        assertThat(routing(TestFabrics.down("leaf-2-1:s1", "leaf-2-1:s2", "leaf-2-2:s3", "leaf-2-2:s4"))
            .planes("ros-1-01", dcm)).containsExactly(1);
    }

    /** Chosen spine, backup, then the others cyclically after the chosen one; only those linked to both leaves. */
    @Test
    void takesSpinesInOrderOfPreference() {
        assertThat(routing(UnusableLinks.ALL_UP).spines(1, 1, dcm)).containsExactly(2, 4, 3, 1);
        assertThat(routing(UnusableLinks.ALL_UP).spines(2, 1, dcm)).containsExactly(3, 1, 4, 2);
        assertThat(routing(TestFabrics.down("leaf-1-1:s2", "leaf-1-2:s3")).spines(1, 1, dcm)).containsExactly(4, 1);
        assertThat(routing(UnusableLinks.ALL_UP).spines(1, 2, dcm)).isEmpty();
        assertThat(routing(UnusableLinks.ALL_UP).spine(1, 1, dcm)).contains(2);
    }

    /** An address that is not placed cannot be reached. */
    @Test
    void findsNoPlaneWithoutARoute() {
        Routing routing = new Routing(new Topology(spec), UnusableLinks.ALL_UP, Placement.EMPTY);
        assertThat(routing.plane("ros-1-01", dcm)).isEmpty();
    }

    /** Of a route made before a plane or spine was removed from the fabric, the valid part is used. */
    @Test
    void ignoresRemovedPlanesAndSpines() {
        Placement old = new Placement(new TreeMap<>(Map.of(dcm, new Route(List.of(9, 1),
            new TreeMap<>(Map.of(9, new SpineChoice(1, 2), 1, new SpineChoice(7, 8)))))), new TreeMap<>());
        Routing routing = new Routing(new Topology(spec), UnusableLinks.ALL_UP, old);
        assertThat(routing.planes("ros-1-01", dcm)).containsExactly(1);
        assertThat(routing.spines(1, 1, dcm)).containsExactly(1, 2, 3, 4);
    }

    /** The chosen lane comes first, and if it fails those after it in order. */
    @Test
    void takesLanesInOrderOfPreference() {
        List<Link> links = new ArrayList<>(spec.links());
        for (String port : List.of("s1b", "s1c")) {
            links.add(new Link(new PortId("leaf-1-1", port), new PortId("spine-1-1", "l1" + port), 10,
                AdminState.IN_SERVICE));
        }
        Topology topology = new Topology(new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), links,
            spec.policy()));
        Placement withLanes = new Placement(placement.routes(), new TreeMap<>(Map.of(
            new Bundle("leaf-1-1", "spine-1-1"), new TreeMap<>(Map.of(dcm, new PortId("leaf-1-1", "s1b"))))));
        assertThat(new Routing(topology, UnusableLinks.ALL_UP, withLanes).lanes("leaf-1-1", "spine-1-1", dcm))
            .extracting(segment -> segment.lower().port()).containsExactly("s1b", "s1c", "s1");
        assertThat(new Routing(topology, TestFabrics.down("leaf-1-1:s1b"), withLanes).lane("leaf-1-1", "spine-1-1", dcm)
            .map(Segment::id)).isEqualTo(Optional.of(new PortId("leaf-1-1", "s1c")));
    }
}
