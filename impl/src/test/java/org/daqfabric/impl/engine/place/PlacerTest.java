package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.Addresses;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.Wiring;
import org.daqfabric.impl.engine.capacity.LeafSpineEquations;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacerTest {
    private static Placement place(FabricSpec spec, UnusableLinks unusable, Placement previous, Scope scope) {
        return Placer.place(new Topology(spec), unusable, previous, scope);
    }

    private static Placement fresh(FabricSpec spec) {
        return place(spec, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
    }

    private static double bandwidth(FabricSpec spec, UnusableLinks unusable, Placement placement) {
        return Loads.of(new Topology(spec), unusable, placement).bandwidth();
    }

    /** Names of the DCMs placed before and after that changed primary plane or spine. */
    private static Set<String> moved(FabricSpec spec, Placement before, Placement after) {
        Set<String> moved = new TreeSet<>();
        for (Endpoint endpoint : new Topology(spec).endpoints().values()) {
            Route old = before.routes().get(endpoint.address());
            if (endpoint.isDcm() && old != null
                && !FailureOracle.primary(old).equals(FailureOracle.primary(after.routes().get(endpoint.address())))) {
                moved.add(endpoint.name());
            }
        }
        return moved;
    }

    private static Set<String> touched(FabricSpec spec, UnusableLinks unusable, Placement before) {
        FailureOracle touched = new FailureOracle(spec, new Wiring(spec, unusable));
        Set<String> names = new TreeSet<>();
        for (Endpoint endpoint : new Topology(spec).endpoints().values()) {
            if (endpoint.isDcm() && touched.touched(endpoint, before.routes().get(endpoint.address()))) {
                names.add(endpoint.name());
            }
        }
        return names;
    }

    private static UnusableLinks without(FabricSpec spec, String linkOrSwitch) {
        return linkOrSwitch.contains(":") ? TestFabrics.down(linkOrSwitch)
            : TestFabrics.without(spec, linkOrSwitch);
    }

    static Stream<Arguments> reachesTheBandwidthOfFig64() {
        return Stream.of(1, 2, 4).flatMap(planes -> Stream.of(1, 2, 3, 4, 5, 6, 7)
            .map(spines -> Arguments.of(planes, spines)));
    }

    /** The bandwidth is that of the equations, less the rounding where DCMs do not divide evenly over spines. */
    @ParameterizedTest(name = "{0} planes, {1} spines")
    @MethodSource
    void reachesTheBandwidthOfFig64(int planes, int spines) {
        FabricSpec spec =
            TestFabrics.shuffled(TestFabrics.fig64(planes, spines, 40), new Random(planes * 10L + spines));
        double rack = 10.0 / (100 * 40 / planes);
        double spine = 10.0 / (75 * Math.ceilDiv(280 / planes, spines));
        assertThat(bandwidth(spec, UnusableLinks.ALL_UP, fresh(spec)))
            .isCloseTo(Math.min(rack, spine) * 1120 * 100, within(1e-6))
            .isLessThanOrEqualTo(new LeafSpineEquations(planes, spines, 4, 100, 28, 10).bandwidth() + 1e-6);
    }

    static Stream<Arguments> repairsAFailure() {
        FabricSpec six = TestFabrics.fig64(4, 6, 40);
        FabricSpec five = TestFabrics.fig64(4, 5, 40);
        FabricSpec prototype = TestFabrics.prototype();
        return Stream.of(
            Arguments.of(six, "leaf-1-1:s1", 14 * 7.5, 1106.7), Arguments.of(six, "leaf-3-2:s6", 14 * 7.5, 1106.7),
            Arguments.of(six, "spine-1-1", 14 * 7.5, 1106.7), Arguments.of(six, "spine-4-6", 14 * 7.5, 1106.7),
            Arguments.of(five, "leaf-1-1:s1", 15 * 7.5, 1013.3), Arguments.of(five, "leaf-4-4:s5", 15 * 7.5, 1013.3),
            Arguments.of(five, "spine-1-1", 15 * 7.5, 1013.3), Arguments.of(five, "spine-2-3", 15 * 7.5, 1013.3),
            Arguments.of(prototype, "leaf-1-1:s1", 5 * 0.6, 100), Arguments.of(prototype, "leaf-2-2:s2", 5 * 0.6, 100),
            Arguments.of(prototype, "spine-1-1", 5 * 0.6, 100), Arguments.of(prototype, "spine-2-2", 5 * 0.6, 100));
    }

    /**
     * After one failure the touched DCMs move and no others, and the bandwidth is what whole DCMs allow: 14 or 15 of
     * them on the fullest downlink from a spine, or 5 on the fullest rack uplink of the prototype.
     */
    @ParameterizedTest(name = "{1}, at most {3}")
    @MethodSource
    void repairsAFailure(FabricSpec spec, String failed, double highest, double ideal) {
        UnusableLinks unusable = without(spec, failed);
        Placement before = fresh(spec);
        Placement repaired = place(spec, unusable, before, Scope.REPAIR);
        double delivered = Loads.of(new Topology(spec), unusable, repaired).delivered();
        assertThat(bandwidth(spec, unusable, repaired)).isCloseTo(delivered / highest, within(1e-6))
            .isLessThan(ideal + 0.1);
        assertThat(moved(spec, before, repaired)).isNotEmpty().isEqualTo(touched(spec, unusable, before));
        assertThat(bandwidth(spec, unusable, place(spec, unusable, Placement.EMPTY, Scope.OPTIMISE)))
            .isCloseTo(delivered / highest, within(1e-6));
        assertThat(place(spec, unusable, before, Scope.OPTIMISE).routes().keySet()).isEqualTo(before.routes().keySet());
    }

    /** No more DCMs move for a leaf-spine link than errata 9 says is enough. */
    @Test
    void moves47DcmsAtMostForALeafSpineLink() {
        FabricSpec spec = TestFabrics.fig64(4, 6, 40);
        Placement before = fresh(spec);
        for (Link link : spec.links()) {
            if (link.end().switchName().startsWith("leaf-2-")) {
                UnusableLinks unusable = new UnusableLinks(Set.of(link.end()));
                assertThat(moved(spec, before, place(spec, unusable, before, Scope.REPAIR))).hasSizeBetween(46, 47);
            }
        }
    }

    /** The DCMs of a failed spine spread over all others by their backups alone, before the controller acts. */
    @ParameterizedTest(name = "{0} spines")
    @ValueSource(ints = {2, 3, 4, 5, 6, 7})
    void spreadsAFailedSpineOverItsPlaneByBackups(int spines) {
        FabricSpec spec = TestFabrics.fig64(4, spines, 40);
        Placement placement = fresh(spec);
        int fullest = Math.max(Math.ceilDiv(70, spines - 1), Math.ceilDiv(1000, 75));
        for (int spine = 1; spine <= spines; spine++) {
            UnusableLinks unusable = TestFabrics.without(spec, "spine-2-" + spine);
            assertThat(bandwidth(spec, unusable, placement)).as("spine %d", spine)
                .isGreaterThanOrEqualTo(112000 * 10 / (75.0 * fullest) - 1e-6);
        }
    }

    /** The DCMs of a failed leaf spread over the other planes by their next planes alone, 13 or 14 per rack. */
    @Test
    void spreadsAFailedLeafOverTheOtherPlanes() {
        FabricSpec spec = TestFabrics.fig64(4, 6, 40);
        UnusableLinks unusable = TestFabrics.without(spec, "leaf-3-1");
        assertThat(bandwidth(spec, unusable, fresh(spec))).isCloseTo(112000 / 140.0, within(1e-6));
    }

    /** When a spine fails, DCMs that do not move keep the order of their planes, so no ROS switch changes for them. */
    @Test
    void keepsPlanesWhenASpineFails() {
        FabricSpec spec = TestFabrics.fig64(4, 6, 40);
        Placement before = fresh(spec);
        Placement repaired = place(spec, TestFabrics.without(spec, "spine-1-1"), before, Scope.REPAIR);
        assertThat(repaired).isNotEqualTo(before);
        before.routes().forEach((address, route) -> {
            List<Integer> planes = repaired.routes().get(address).planes();
            if (planes.get(0).equals(route.planes().get(0))) {
                assertThat(planes).as("%s", address).isEqualTo(route.planes());
            }
        });
    }

    /** A link that is back is used again; no more DCMs move than are needed for the bandwidth of before. */
    @Test
    void takesALinkBackIntoUse() {
        FabricSpec spec = TestFabrics.fig64(4, 6, 40);
        Placement repaired = place(spec, TestFabrics.down("leaf-1-1:s1"), fresh(spec), Scope.REPAIR);
        Placement back = place(spec, UnusableLinks.ALL_UP, repaired, Scope.OPTIMISE);
        assertThat(bandwidth(spec, UnusableLinks.ALL_UP, back)).isCloseTo(1120, within(1e-6));
        assertThat(moved(spec, repaired, back)).hasSizeLessThanOrEqualTo(20);
        assertThat(place(spec, UnusableLinks.ALL_UP, repaired, Scope.REPAIR)).isEqualTo(repaired);
    }

    private static FabricSpec withDcms(FabricSpec spec, int pod, int rack, int more) {
        List<Pod> pods = new ArrayList<>(spec.pods());
        List<HltRack> racks = new ArrayList<>(pods.get(pod).racks());
        List<Dcm> dcms = new ArrayList<>(racks.get(rack).dcms());
        for (int i = 0; i < more; i++) {
            dcms.add(new Dcm("new-" + i, Addresses.plus(Address.parse("10.9.0.1"), i), 1, Dcm.LOCAL,
                Optional.empty()));
        }
        racks.set(rack, new HltRack(racks.get(rack).name(), racks.get(rack).switchName(), dcms));
        pods.set(pod, new Pod(pods.get(pod).id(), pods.get(pod).ros(), racks));
        return new FabricSpec(spec.name(), spec.planes(), pods, spec.switches(), spec.links(), spec.policy());
    }

    /** New DCMs are placed without moving others, and the bandwidth is that of a fresh placement. */
    @Test
    void addsDcmsWithoutMovingOthers() {
        FabricSpec spec = TestFabrics.fig64(4, 6, 40);
        FabricSpec more = withDcms(spec, 1, 3, 4);
        Placement before = fresh(spec);
        for (Scope scope : Scope.values()) {
            Placement after = place(more, UnusableLinks.ALL_UP, before, scope);
            assertThat(moved(spec, before, after)).isEmpty();
            assertThat(bandwidth(more, UnusableLinks.ALL_UP, after))
                .isCloseTo(bandwidth(more, UnusableLinks.ALL_UP, fresh(more)), within(1e-6));
        }
    }

    /** DCMs count by weight: 3 + 1 in one plane and 2 + 2 in the other. */
    @Test
    void balancesWeights() {
        FabricSpec spec = weighed(TestFabrics.regular("weights", 2, 1, 1, 1, 1, 4), 3, 2, 2, 1);
        assertThat(bandwidth(spec, UnusableLinks.ALL_UP, fresh(spec))).isCloseTo(20, within(1e-9));
    }

    private static FabricSpec weighed(FabricSpec spec, double... weights) {
        Pod pod = spec.pods().get(0);
        HltRack rack = pod.racks().get(0);
        List<Dcm> dcms = new ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            Dcm dcm = rack.dcms().get(i);
            dcms.add(new Dcm(dcm.name(), dcm.address(), weights[i], dcm.port(), dcm.mac()));
        }
        return new FabricSpec(spec.name(), spec.planes(),
            List.of(new Pod(1, pod.ros(), List.of(new HltRack(rack.name(), rack.switchName(), dcms)))),
            spec.switches(), spec.links(), spec.policy());
    }

    private static FabricSpec capacity(FabricSpec spec, String ends, double capacity) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), spec.links().stream()
            .map(link -> link.end().toString().matches(ends)
                ? new Link(link.end(), link.peer(), capacity, link.adminState()) : link).toList(), spec.policy());
    }

    /** A plane with four times the capacity gets four times the DCMs. */
    @Test
    void usesUnevenCapacities() {
        FabricSpec spec = capacity(TestFabrics.regular("uneven", 2, 1, 2, 2, 2, 10), "(ros|rack)-.*:p2|leaf-2-.*", 40);
        Placement placement = fresh(spec);
        assertThat(placement.routes().values().stream().filter(route -> route.planes().get(0) == 2)
            .filter(route -> route.planes().size() == 2).count()).isGreaterThanOrEqualTo(32);
        // the rack uplinks of plane 2 carry 8 of 10 DCMs of 4 fragments: x = 40 / 32
        assertThat(bandwidth(spec, UnusableLinks.ALL_UP, placement)).isCloseTo(200, within(1e-6));
    }

    /** A drained spine is treated like a failed one. */
    @Test
    void avoidsADrainedSpine() {
        FabricSpec spec = TestFabrics.fig64(4, 6, 40);
        FabricSpec drained = new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches().stream()
            .map(sw -> sw.name().equals("spine-1-1") ? new Switch(sw.name(), sw.systemId(),
                sw.ovsdbAddress(), sw.bridge(), sw.datapathType(), AdminState.DRAINED) : sw).toList(),
            spec.links(), spec.policy());
        Placement before = fresh(spec);
        Placement after = place(drained, UnusableLinks.ALL_UP, before, Scope.REPAIR);
        assertThat(after).isEqualTo(place(spec, TestFabrics.without(spec, "spine-1-1"), before, Scope.REPAIR));
        assertThat(moved(spec, before, after)).hasSizeBetween(46, 47);
    }

    /** In a single plane in which every spine has lost a pod, every pair is served and all links left are used. */
    @Test
    void usesSeveralSpinesWhereEachIsPartial() {
        FabricSpec spec = TestFabrics.regular("single", 1, 3, 3, 2, 2, 6);
        UnusableLinks unusable = TestFabrics.down("leaf-1-1:s1", "leaf-1-2:s2", "leaf-1-3:s3");
        for (Placement previous : List.of(Placement.EMPTY, fresh(spec))) {
            Placement placement = place(spec, unusable, previous, Scope.REPAIR);
            Loads loads = Loads.of(new Topology(spec), unusable, placement);
            assertThat(loads.reachableRos().values()).containsOnly(6);
            // one spine between any two pods carries 12 DCMs of 2 fragments, a rack uplink 6 DCMs of 6
            assertThat(loads.bandwidth()).isCloseTo(36 * 6 * 10 / 36.0, within(1e-6));
        }
    }

    /** In a fabric of one pod every address is placed, although no event crosses a spine. */
    @Test
    void placesASinglePod() {
        FabricSpec spec = TestFabrics.regular("pod", 2, 2, 1, 4, 3, 8);
        Placement placement = fresh(spec);
        assertThat(bandwidth(spec, UnusableLinks.ALL_UP, placement)).isCloseTo(60, within(1e-9));
        assertThat(placement.routes()).hasSize(28);
    }

    /** A plane with more spines gets no more DCMs than the rack uplinks can take. */
    @Test
    void usesPlanesWithDifferentSpineCounts() {
        FabricSpec big = TestFabrics.regular("mixed", 2, 3, 2, 4, 4, 12);
        UnusableLinks unusable = new UnusableLinks(Set.copyOf(big.links().stream().map(Link::end)
            .filter(end -> end.switchName().startsWith("leaf-1") && !end.port().equals("s1")).toList()));
        // plane 1 has one spine: n1 of 12 per rack, 4 n1 x 4 fragments on its downlink against n2 x 8 on the uplink
        Placement placement = place(big, unusable, Placement.EMPTY, Scope.OPTIMISE);
        assertThat(bandwidth(big, unusable, placement)).isCloseTo(96 * 8 * 10 / 64.0, within(1e-6));
    }

    /** A fabric without sources or addresses is placed without error. */
    @Test
    void placesFabricsWithoutTraffic() {
        assertThat(fresh(TestFabrics.regular("empty", 1, 1, 1, 0, 0, 0))).isEqualTo(Placement.EMPTY);
        assertThat(fresh(TestFabrics.regular("no-dcm", 2, 2, 2, 1, 1, 0)).routes()).hasSize(2);
        assertThat(fresh(TestFabrics.regular("no-ros", 2, 2, 2, 0, 1, 3)).routes()).hasSize(6);
    }
}
