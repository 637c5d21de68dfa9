package org.daqfabric.impl.engine.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.Policy.Granularity;
import org.daqfabric.impl.engine.HostFabrics;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.capacity.LinkLoad;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The routes of hosts that are neither ROS nor DCMs, and what is left to events. */
class HostRoutesTest {
    private static final Address HOST_1 = Address.parse("10.9.1.1");
    private static final Address HOST_2 = Address.parse("10.9.1.2");
    private static final Address GUEST_1 = Address.parse("10.9.2.1");
    private static final int CASES = 300;
    private static final double TINY = 1e-9;

    private static Flow flow(String name, String from, String to, double rate, double share) {
        return new Flow(name, from, to, Flow.Kind.EVENTS, rate, share);
    }

    private static Placement placed(Topology topology) {
        return Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
    }

    /** Two data loggers on one node of which each needs most of a link are in different planes. */
    @Test
    void twoReceiversOfANodeShareItsUplinks() {
        Topology topology = new Topology(HostFabrics.with(TestFabrics.prototype(), List.of(
            flow("a", "host-2", "guest-1", 6, 0), flow("b", "host-1", "guest-1", 0.1, 0),
            flow("c", "guest-1", "host-2", 6, 0))));
        Placement placement = placed(topology);
        Loads loads = Loads.of(topology, UnusableLinks.ALL_UP, placement);
        assertThat(loads.links()).filteredOn(link -> link.reserved() > 0)
            .allSatisfy(link -> assertThat(link.reserved()).isLessThan(6.2));
        assertThat(placement.routes().get(GUEST_1).planes()).hasSize(2);
        assertThat(placement.routes().get(GUEST_1).spines().values()).allSatisfy(choice -> {
            assertThat(choice.spine()).isPositive();
            assertThat(choice.backup()).isPositive().isNotEqualTo(choice.spine());
        });
    }

    /** DCMs of the rack of a data logger go into the plane that it leaves to them. */
    @Test
    void eventsGoWhereFlowsLeaveRoom() {
        FabricSpec plain = TestFabrics.regular("f", 2, 1, 1, 4, 1, 8);
        Topology topology = new Topology(HostFabrics.with(plain, List.of(flow("a", "host-1", "guest-1", 8, 0))));
        Placement placement = placed(topology);
        int plane = placement.routes().get(GUEST_1).planes().get(0);
        long beside = topology.dcms().stream()
            .filter(dcm -> placement.routes().get(dcm.address()).planes().get(0) == plane).count();
        // 2 of 10 Gbps are left in one plane, so of eight DCMs one or two go there
        assertThat(beside).isBetween(1L, 2L);
        Loads loads = Loads.of(topology, UnusableLinks.ALL_UP, placement);
        assertThat(loads.bandwidth()).isCloseTo(beside == 1 ? 8 * 10 / 7.0 : 8 * 10 / 6.0, within(5.0));
        assertThat(loads.bandwidth()).isLessThanOrEqualTo(12);
    }

    /** A share of events grows with them: 1 % of 120 Gbps of 6 racks at one logger's uplink is no limit, 20 % is. */
    @Test
    void sharesOfEventsLimitThem() {
        for (double share : new double[] {0.01, 0.2}) {
            Topology topology = new Topology(HostFabrics.with(TestFabrics.prototype(),
                List.of(flow("log", Flow.ALL_DCMS, "host-1", 0, share))));
            Loads loads = Loads.of(topology, UnusableLinks.ALL_UP, placed(topology));
            // the logger receives by one uplink of 10 Gbps
            assertThat(loads.bandwidth()).isCloseTo(Math.min(120, 10 / share), within(3.0));
            LinkLoad last = loads.links().stream().filter(link -> !link.upwards() && link.load() > 0
                && link.segment().lower().switchName().equals("host-1")).findFirst().orElseThrow();
            assertThat(last.load()).isCloseTo(share * loads.delivered(), within(1e-6));
        }
    }

    /** A flow that fills a link leaves events next to nothing there, and no division by nothing. */
    @Test
    void fullLinksAreNoDivisionByZero() {
        FabricSpec plain = TestFabrics.regular("f", 1, 1, 1, 2, 1, 2);
        Topology topology = new Topology(HostFabrics.with(plain, List.of(flow("a", "host-1", "guest-1", 10, 0))));
        Loads loads = Loads.of(topology, UnusableLinks.ALL_UP, placed(topology));
        assertThat(loads.bandwidth()).isBetween(0.0, 0.01);
        assertThat(loads.relativeToBottleneck("leaf-1-1")).isEqualTo(1);
    }

    /** Hosts and flows that exchange nothing with others leave the routes of ROS and DCMs as they are. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void hostsWithoutFlowsChangeNoRoute(long seed) {
        for (int number = 0; number < CASES / 3; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = TestFabrics.generatedWithBuilders(random);
            UnusableLinks view = TestFabrics.failures(random, spec);
            Placement without = Placer.place(new Topology(spec), view, Placement.EMPTY, Scope.OPTIMISE);
            Placement with = Placer.place(new Topology(HostFabrics.with(spec, List.of())), view, Placement.EMPTY,
                Scope.OPTIMISE);
            assertThat(with.routes()).as("seed %d case %d", seed, number).containsAllEntriesOf(without.routes());
        }
    }

    /** A placement that is placed again stays; a repair of nothing changes nothing. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void placingAgainChangesNoHost(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            Topology topology = new Topology(HostFabrics.with(TestFabrics.generatedWithBuilders(random), random));
            UnusableLinks view = TestFabrics.failures(random, topology.spec());
            Placement placement = Placer.place(topology, view, Placement.EMPTY, Scope.OPTIMISE);
            for (Scope scope : Scope.values()) {
                assertThat(hosts(topology, Placer.place(topology, view, placement, scope)))
                    .as("seed %d case %d %s", seed, number, scope).isEqualTo(hosts(topology, placement));
            }
        }
    }

    /** By pod, too, DCMs are placed on what flows leave: no less is carried, and loads are those of packets. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void flowsLeaveRoomByPod(long seed) {
        int split = 0;
        for (int number = 0; number < CASES / 3; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = HostFabrics.with(TestFabrics.generatedWithBuilders(random), List.of(
                flow("up", Flow.ALL_DCMS, "host-1", 4, 0), flow("down", Flow.ALL_ROS, "guest-1", 3, 0)));
            Topology byPod = new Topology(TestFabrics.byPod(spec));
            Topology byDcm = new Topology(TestFabrics.placed(spec, Granularity.DCM));
            if (byPod.hasParallelLinks() || !byPod.others().hosts().containsKey(GUEST_1)) {
                continue;
            }
            String what = "seed %d case %d".formatted(seed, number);
            Placement placement = placed(byPod);
            Loads loads = Loads.of(byPod, UnusableLinks.ALL_UP, placement);
            assertThat(loads.bandwidth()).as(what).isGreaterThanOrEqualTo(
                Loads.of(byDcm, UnusableLinks.ALL_UP, placed(byDcm)).bandwidth() * (1 - TINY));
            UsableFabric fabric = new UsableFabric(byPod, UnusableLinks.ALL_UP);
            HostRoutes hosts = HostRoutes.of(byPod, fabric, placement, Scope.REPAIR);
            assertThat(placement.routes()).as(what).containsAllEntriesOf(hosts.routes());
            PodState state = new PodState(PlacementModel.events(byPod, fabric, hosts.loads()));
            PodPrevious flows = new PodPrevious(state, placement.routes());
            for (int flow = 0; flow < state.routes.length; flow++) {
                state.assign(flow, flows.routes[flow]);
            }
            assertThat(loads.links().stream().mapToDouble(LinkLoad::relative).max().orElse(0)).as(what)
                .isCloseTo(state.highestLoad(), within(TINY * Math.max(1, state.highestLoad())));
            assertThat(hosts.routes().values()).as(what).allSatisfy(route -> assertThat(route.fromPods()).isEmpty());
            split += placement.routes().values().stream().anyMatch(route -> !route.fromPods().isEmpty()) ? 1 : 0;
        }
        assertThat(split).isPositive();
    }

    /** A repair moves a host off a spine that it does not reach any more, and leaves the others. */
    @Test
    void repairsMoveOnlyWhatFailed() {
        Topology topology = new Topology(HostFabrics.with(TestFabrics.prototype(),
            List.of(flow("a", "host-1", "host-2", 1, 0), flow("b", "host-2", "host-1", 1, 0))));
        Placement before = placed(topology);
        Route route = before.routes().get(HOST_2);
        int plane = route.planes().get(0);
        int spine = route.spines().get(plane).spine();
        UnusableLinks cut = TestFabrics.down("leaf-" + plane + "-2:s" + spine);
        Placement after = Placer.place(topology, cut, before, Scope.REPAIR);
        assertThat(after.routes().get(HOST_2).planes().get(0)).isEqualTo(plane);
        assertThat(after.routes().get(HOST_2).spines().get(plane).spine()).isNotEqualTo(spine).isPositive();
        Route other = before.routes().get(HOST_1);
        if (other.planes().get(0) != plane || other.spines().get(plane).spine() != spine) {
            assertThat(after.routes().get(HOST_1).spines().get(other.planes().get(0)).spine())
                .isEqualTo(other.spines().get(other.planes().get(0)).spine());
        }
    }

    private static SortedMap<Address, Route> hosts(Topology topology, Placement placement) {
        SortedMap<Address, Route> hosts = new TreeMap<>(placement.routes());
        hosts.keySet().retainAll(Set.copyOf(topology.others().hosts().keySet()));
        return hosts;
    }
}
