package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

/** Somebody sets the clock of the controller back an hour, or forward. */
class ClockSetTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = new World(1);
    private final FabricSpec spec = TestFabrics.prototype();
    private final Segment link = World.link(spec, "leaf-1-1", "spine-1-1");

    private void bringUp() {
        world.configure(spec);
        world.pass(Duration.ofSeconds(30));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    private void fail(Segment failing) {
        world.network.carrier(failing, false);
        world.settle();
        world.network.carrier(failing, true);
        world.settle();
    }

    /** A link that waits after its second failure waits as long as it would have, not an hour. */
    @Test
    void returnedLinkIsUsed() {
        bringUp();
        fail(link);
        fail(link);
        assertThat(world.isUsed(spec, link)).isFalse();
        world.set = HOUR.negated();
        world.pass(Duration.ofMillis(900));
        assertThat(world.isUsed(spec, link)).isFalse();
        world.pass(Duration.ofMillis(200));
        assertThat(world.isUsed(spec, link)).isTrue();
    }

    /** Nor is the wait over because the clock was set forward. */
    @Test
    void heldBackLinkWaits() {
        bringUp();
        fail(link);
        fail(link);
        world.set = HOUR;
        world.pass(Duration.ofMillis(900));
        assertThat(world.isUsed(spec, link)).isFalse();
    }

    /** A link of a new fabric that does not come up goes down after its time. */
    @Test
    void deadLinkGoesDown() {
        world.network.build(new Topology(spec));
        world.network.silent(link, true);
        world.manager.fabricChanged(spec);
        world.settle();
        assertThat(world.states.get(spec.name()).phase()).isNotEqualTo(Phase.CONVERGED);
        world.set = HOUR.negated();
        world.pass(Duration.ofSeconds(10));
        assertThat(world.isUsed(spec, link)).isFalse();
    }
}
