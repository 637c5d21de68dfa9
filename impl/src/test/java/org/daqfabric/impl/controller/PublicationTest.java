package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

/** When a fabric's state is published. */
class PublicationTest {
    private final World world = new World(1);
    private final FabricSpec spec = TestFabrics.prototype();

    /** A state that equals the published one is not published again. */
    @Test
    void sameStateIsNotPublishedAgain() {
        world.configure(spec);
        world.settle();
        var published = world.states.remove(spec.name());
        world.network.devices.checkCabling();
        world.settle();
        var withPeers = world.states.remove(spec.name());
        assertThat(withPeers).as("peers have been found").isNotNull().isNotEqualTo(published);
        world.network.devices.checkCabling();
        world.pass(Duration.ofSeconds(30));
        assertThat(world.states).isEmpty();
    }

    /** A short repair is published when it is over; a long one also in the middle, after 150 ms. */
    @Test
    void longRepairIsPublishedInTheMiddle() {
        world.configure(spec);
        world.settle();
        world.network.refuse("ros-1-01", 1000);
        Segment link = new Topology(spec).segments("rack-1-01").get(0);
        world.states.clear();
        world.network.carrier(link, false);
        world.settle();
        world.pass(Duration.ofMillis(149));
        assertThat(world.states).isEmpty();
        world.pass(Duration.ofMillis(1));
        assertThat(world.isUsed(spec, link)).isFalse();
    }
}
