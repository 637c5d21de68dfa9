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

/** A fabric grows and shrinks while it carries traffic, without affecting the other hosts. */
@ExtendWith(SharedController.class)
class GrowthIT {
    private static FabricFile complete;
    private static LabFabric fabric;
    /** The current configuration. */
    private static FabricFile configured;

    @BeforeAll
    static void bringUp(final Lab lab) {
        complete = lab.generate("growth", "--planes 2 --spines 2 --pods 2 --ros 2 --racks 2 --dcms 4");
        fabric = lab.fabric(complete).up();
    }

    @BeforeEach
    void beginWithAll() {
        fabric.put(complete).awaitState("all", state -> state.phase().equals("converged")
            && state.placement().size() == 16);
        configured = complete;
    }

    /** A rack is removed by one YANG Patch and added again by one PATCH. */
    @Test
    void rackLeavesAndReturns(final Restconf restconf) {
        final var less = complete.copy().removeRack("h2-2");
        assertOnlyNeeded(less, () -> restconf.yangPatch(fabric.path(), Restconf.deletion("/pod=2/hlt-rack=h2-2"),
            Restconf.deletion("/link=h2-2,to-p1l2"), Restconf.deletion("/link=h2-2,to-p2l2"),
            Restconf.deletion("/switch=h2-2")));
        await("the rack's bridge to go").untilAsserted(() -> assertThat(fabric.bridges("h2-2")).isEmpty());
        assertOnlyNeeded(complete, () -> restconf.patch(fabric.path(), complete.differenceTo(less).json()));
    }

    /** A DCM is removed by DELETE and added again by PATCH. */
    @Test
    void dcmLeavesAndReturns(final Restconf restconf) {
        final var less = complete.copy().removeDcm("h1-1d2");
        assertOnlyNeeded(less, () -> restconf.delete(fabric.path() + "/pod=1/hlt-rack=h1-1/dcm=h1-1d2"));
        assertOnlyNeeded(complete, () -> restconf.patch(fabric.path(), complete.differenceTo(less).json()));
    }

    /** A ROS is removed and added again, each time by a PUT of the whole fabric. */
    @Test
    void rosLeavesAndReturns(final Restconf restconf) {
        final var less = complete.copy().removeRos("r1-2");
        assertOnlyNeeded(less, () -> restconf.put(fabric.path(), less.json()));
        assertOnlyNeeded(complete, () -> restconf.put(fabric.path(), complete.json()));
    }

    /**
     * Makes a change under traffic: hosts that are there before and after lose no packet, and in every switch the rules
     * for their addresses, and the groups of those rules, are not touched.
     */
    private static void assertOnlyNeeded(final FabricFile after, final Supplier<Restconf.Answer> change) {
        final var stay = new HashSet<>(after.hosts().keySet());
        stay.retainAll(configured.hosts().keySet());
        final var addresses = stay.stream().map(name -> complete.hosts().get(name).address()).collect(toSet());
        final var before = fabric.contents();
        final var generation = fabric.state().generation();
        try (var ping = fabric.ping(10)) {
            change.get().orFail();
            fabric.awaitState("change", state -> state.phase().equals("converged") && state.generation() > generation);
            ping.assertLostNothing(stay::contains);
        }
        final var switches = new HashSet<>(after.switches());
        switches.retainAll(configured.switches());
        configured = after;
        fabric.assertReachable(after.hosts().keySet());
        switches.forEach(name -> before.get(name).serving(addresses)
            .assertUntouchedIn(fabric.contents(name).serving(addresses), name));
    }
}
