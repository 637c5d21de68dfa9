package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.daqfabric.api.placement.SwitchIdentity;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Links of which only carrier is known, and frames of cabling checks. */
class WithoutBfdTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = new World(1);
    private final FabricSpec spec = withoutBfd(TestFabrics.prototype());
    private final Segment link = World.link(spec, "leaf-1-1", "spine-1-1");

    private static FabricSpec withoutBfd(FabricSpec of) {
        Policy policy = of.policy();
        return new FabricSpec(of.name(), of.planes(), of.pods(), of.switches(), of.links(), new Policy(
            policy.placement(), policy.daqring(), new Policy.Protection(true, false, 100), policy.rules(),
            policy.mtu()));
    }

    @BeforeEach
    void fabricRuns() {
        world.configure(spec);
        world.pass(Duration.ofSeconds(30));
        assertThat(world.phase(spec)).as("nothing has failed yet").isEqualTo(Phase.CONVERGED);
    }

    /** Carrier alone does not say that packets pass. */
    @Test
    void returnedLinkIsUsedWhenFramesHavePassedBothWays() {
        world.network.carrier(link, false);
        world.pass(SECOND);
        world.network.carrier(link, true);
        world.pass(Duration.ofMinutes(1));
        assertThat(world.isUsed(spec, link)).as("no frame").isFalse();
        assertThat(world.phase(spec)).isEqualTo(Phase.DEGRADED);
        world.network.devices.checkCabling();
        world.pass(SECOND);
        assertThat(world.isUsed(spec, link)).isTrue();
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    /** Frames that arrived before the link failed say nothing about it now. */
    @Test
    void earlierFramesDoNotCount() {
        world.network.devices.checkCabling();
        world.pass(SECOND);
        world.network.carrier(link, false);
        world.pass(SECOND);
        world.network.carrier(link, true);
        world.pass(SECOND);
        assertThat(world.isUsed(spec, link)).isFalse();
    }

    /**
     * By a mirror frames of a ROS arrive at a spine beside those of the leaf: the link is miscabled as long as they do,
     * and does not flap.
     */
    @Test
    void framesOfTwoPortsDoNotMakeALinkFlap() {
        Topology topology = new Topology(spec);
        SwitchIdentity spine = topology.identities().switches().get("spine-1-1");
        int port = world.network.numbers().of("spine-1-1").get(link.upper().port());
        long stranger = topology.identities().switches().get("ros-1-01").datapathId();
        world.network.devices.checkCabling();
        world.pass(SECOND);
        long moves = -1;
        for (int round = 0; round < 24; round++) {
            world.manager.peerSeen(spine.datapathId(), port, stranger, 1);
            world.pass(SECOND.multipliedBy(2));
            assertThat(world.isUsed(spec, link)).isFalse();
            world.network.devices.checkCabling();
            world.pass(SECOND.multipliedBy(3));
            assertThat(world.isUsed(spec, link)).isFalse();
            moves = moves < 0 ? moves() : moves;
        }
        assertThat(moves()).as("moves after the first repair").isEqualTo(moves);
        for (int round = 0; round < 5; round++) {
            world.network.devices.checkCabling();
            world.pass(SECOND.multipliedBy(5));
        }
        assertThat(world.isUsed(spec, link)).as("the mirror has gone").isTrue();
    }

    private long moves() {
        return world.states.get(spec.name()).placements().stream().mapToLong(each -> each.moves()).sum();
    }
}
