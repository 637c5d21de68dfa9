package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

/** Bits of the configuration of ports that stop packets, and ports to hosts that are down. */
class PortBitsTest {
    private static final PortId LINK = new PortId("leaf-1-1", "s1");

    private final FabricSpec spec = TestFabrics.prototype();
    private final Topology topology = new Topology(spec);
    private final World world = new World(7);

    private FabricState state() {
        return world.states.get(spec.name());
    }

    private Optional<PortState> port(PortId port) {
        return state().ports().stream().filter(each -> each.port().equals(port)).findFirst();
    }

    private Endpoint host(Endpoint.Kind kind) {
        return topology.endpoints().values().stream().filter(each -> each.kind() == kind
            && each.port().equals(Dcm.LOCAL)).findFirst().orElseThrow();
    }

    private void bringUp() {
        world.configure(spec);
        world.pass(Duration.ofMinutes(3));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    /** What another program sets is cleared immediately, on links and on the port of a host. */
    @Test
    void whatStopsPacketsIsCleared() {
        bringUp();
        PortId own = new PortId(host(Endpoint.Kind.DCM).edge(), Dcm.LOCAL);
        for (PortId port : List.of(LINK, own)) {
            int before = world.network.devices.cleared();
            world.network.devices.setBits(port, EnumSet.of(PortBit.NO_RECEIVE, PortBit.NO_PACKET_IN));
            world.settle();
            assertThat(world.network.devices.cleared()).as(port.toString()).isEqualTo(before + 1);
            assertThat(port(port)).as("it is as it was").isEmpty();
        }
        world.pass(Duration.ofMinutes(2));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    /** A program that sets a bit again and again is answered ever more seldom; the link is not used, and it is said. */
    @Test
    void aFightDoesNotFlood() {
        bringUp();
        for (int second = 0; second < 600; second++) {
            world.network.devices.setBits(LINK, EnumSet.of(PortBit.NO_FORWARD));
            world.pass(Duration.ofMillis(900));
            world.network.devices.setBits(LINK, EnumSet.of(PortBit.NO_FORWARD));
            world.pass(Duration.ofMillis(100));
        }
        assertThat(world.network.devices.cleared()).isBetween(10, 40);
        assertThat(port(LINK)).get().satisfies(each -> {
            assertThat(each.bits()).containsExactly(PortBit.NO_FORWARD);
            assertThat(each.fault()).contains("another program has set no-forward on it");
        });
    }

    /** A device that somebody took down stays down, and is reported as such. */
    @Test
    void aDeviceThatWasTakenDownStaysDown() {
        bringUp();
        world.network.devices.setBits(LINK, EnumSet.of(PortBit.DOWN));
        world.settle();
        assertThat(world.network.devices.cleared()).isZero();
        assertThat(port(LINK)).get().extracting(PortState::bits).isEqualTo(Set.of(PortBit.DOWN));
        assertThat(state().links()).filteredOn(link -> link.operState() == FabricState.OperState.DOWN).hasSize(1);
    }

    /** The DCMs of a node whose bridge's own port is down are reached by nobody, and come back with it. */
    @Test
    void dcmsBehindAPortThatIsDownAreCutOff() {
        bringUp();
        Endpoint dcm = host(Endpoint.Kind.DCM);
        PortId own = new PortId(dcm.edge(), Dcm.LOCAL);
        world.network.devices.setBits(own, EnumSet.of(PortBit.DOWN));
        world.settle();
        assertThat(state().phase()).isEqualTo(Phase.DEGRADED);
        assertThat(port(own)).get().satisfies(each -> {
            assertThat(each.cutOff()).contains(dcm.name());
            assertThat(each.fault()).contains("the bridge's own port").contains("ip link set");
        });
        assertThat(state().placements()).filteredOn(each -> each.reachableRos() == 0).extracting(DcmPlacement::dcm)
            .containsExactlyElementsOf(port(own).orElseThrow().cutOff());
        world.network.devices.setBits(own, EnumSet.noneOf(PortBit.class));
        world.settle();
        assertThat(state().phase()).isEqualTo(Phase.CONVERGED);
        assertThat(state().placements()).noneMatch(each -> each.reachableRos() == 0);
    }

    /** No DCM counts a ROS whose node's port is down. */
    @Test
    void aRosBehindAPortThatIsDownIsMissedByAll() {
        bringUp();
        int all = state().placements().get(0).reachableRos();
        Endpoint ros = host(Endpoint.Kind.ROS);
        world.network.devices.setBits(new PortId(ros.edge(), Dcm.LOCAL), EnumSet.of(PortBit.DOWN));
        world.settle();
        assertThat(state().placements()).allMatch(each -> each.reachableRos() == all - 1);
        assertThat(state().ports()).anyMatch(each -> each.cutOff().contains(ros.name()));
    }
}
