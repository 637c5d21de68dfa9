package org.daqfabric.it;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.HashSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A farm grows and shrinks while it takes data: nobody else notices. */
@ExtendWith(SharedController.class)
class GrowthIT {
    private static FabricFile full;
    private static LabFabric fabric;
    /** What the controller was told last. */
    private static FabricFile described;

    @BeforeAll
    static void bringUp(final Lab lab) {
        full = lab.generate("growth", "--planes 2 --spines 2 --pods 2 --ros 2 --racks 2 --dcms 4");
        fabric = lab.fabric(full).up();
    }

    @BeforeEach
    void beginWithAll() {
        fabric.put(full).awaitState("all", state -> state.phase().equals("converged")
            && state.placement().size() == 16);
        described = full;
    }

    /** A rack leaves in one YANG Patch and returns in one PATCH. */
    @Test
    void rackLeavesAndReturns(final Restconf restconf) {
        final var less = full.copy().removeRack("h2-2");
        assertOnlyNeeded(less, () -> restconf.yangPatch(fabric.path(), Restconf.deletion("/pod=2/hlt-rack=h2-2"),
            Restconf.deletion("/link=h2-2,to-p1l2"), Restconf.deletion("/link=h2-2,to-p2l2"),
            Restconf.deletion("/switch=h2-2")));
        await("the rack's bridge to go").untilAsserted(() -> assertThat(fabric.bridges("h2-2")).isEmpty());
        assertOnlyNeeded(full, () -> restconf.patch(fabric.path(), full.addedTo(less).json()));
    }

    /** A DCM leaves by DELETE and returns by PATCH. */
    @Test
    void dcmLeavesAndReturns(final Restconf restconf) {
        final var less = full.copy().removeDcm("h1-1d2");
        assertOnlyNeeded(less, () -> restconf.delete(fabric.path() + "/pod=1/hlt-rack=h1-1/dcm=h1-1d2"));
        assertOnlyNeeded(full, () -> restconf.patch(fabric.path(), full.addedTo(less).json()));
    }

    /** A ROS leaves and returns, each time by a PUT of the whole description. */
    @Test
    void rosLeavesAndReturns(final Restconf restconf) {
        final var less = full.copy().removeRos("r1-2");
        assertOnlyNeeded(less, () -> restconf.put(fabric.path(), less.json()));
        assertOnlyNeeded(full, () -> restconf.put(fabric.path(), full.json()));
    }

    /**
     * Makes a change while everybody talks: those that are there before and after lose nothing, and the rules for
     * their addresses, with the groups that those use, are left alone in every switch.
     */
    private static void assertOnlyNeeded(final FabricFile after, final Supplier<Restconf.Answer> change) {
        final var stay = new HashSet<>(after.hosts().keySet());
        stay.retainAll(described.hosts().keySet());
        final var addresses = stay.stream().map(name -> full.hosts().get(name).address()).collect(toSet());
        final var before = fabric.contents();
        final var generation = fabric.state().generation();
        try (var ping = fabric.ping(10)) {
            change.get().orFail();
            fabric.awaitState("change", state -> state.phase().equals("converged") && state.generation() > generation);
            ping.assertLostNothing(stay::contains);
        }
        final var switches = new HashSet<>(after.switches());
        switches.retainAll(described.switches());
        described = after;
        fabric.assertReachable(after.hosts().keySet());
        switches.forEach(name -> before.get(name).serving(addresses)
            .assertUntouchedIn(fabric.contents(name).serving(addresses), name));
    }
}
