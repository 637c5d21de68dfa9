package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A fabric depends neither on the order of start nor on a controller that is always running. */
@ExtendWith(SharedController.class)
class ControllerRestartIT {
    private static LabFabric fabric;

    @BeforeAll
    static void bringUp(final Lab lab) {
        fabric = lab.converged(lab.generate("longrun", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 4"));
        fabric.assertAllReachable();
    }

    /** A fabric may be configured before any of its switches runs. */
    @Test
    void switchesMayConnectAfterConfiguration(final Lab lab) {
        final var late = lab.fabric(lab.generate("late", "--planes 2 --spines 1 --pods 1 --ros 1 --racks 1 --dcms 2"));
        late.put(late.file()).awaitPhase("waiting");
        late.up().awaitPhase("converged");
        late.assertAllReachable();
    }

    /**
     * A restarted controller finds its programs in the switches and sends nothing; {@link RunControlIT} kills it. A
     * switch of another fabric that may hold nothing is not used by it either, though its links are up again.
     */
    @Test
    void controllerRestartChangesNothing(final Distribution controller, final Lab lab) {
        final var doubted = lab.converged(lab.generate("doubted",
            "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2").withBfd(true));
        doubted.daqlab("isolate", "p1l1");
        doubted.daqlab("restart", "p1l1");
        doubted.awaitState("p1l1 is in doubt", state -> state.switchNamed("p1l1").has("in-doubt"));
        await("loss ends").atMost(LabFabric.TIMEOUT).until(() -> doubted.missingPairs().isEmpty());

        final var before = fabric.contents();
        final var placement = fabric.state().placement();
        try (var ping = fabric.ping(10)) {
            assertThat(controller.stop()).isZero();
            controller.start();
            fabric.awaitPhase("converged");
            ping.assertLostNothing();
        }
        assertThat(fabric.state().placement()).isEqualTo(placement);
        fabric.contents().forEach((name, now) -> before.get(name).assertUntouchedIn(now, name));
        fabric.assertAllReachable();

        doubted.awaitState("all others are connected, and it is in doubt", state -> state.phase().equals("waiting")
            && FabricFile.entries(state.json(), "switch").stream().allMatch(each ->
                each.get("openflow-connected").getAsBoolean() != each.has("in-doubt"))
            && state.switchNamed("p1l1").has("in-doubt"));
        // a busy machine lets BFD of 50 ms fall now and then; what a switch without rules is given stays lost
        await("nothing goes its way").atMost(LabFabric.TIMEOUT).until(() -> doubted.missingPairs().isEmpty());
        doubted.daqlab("rejoin", "p1l1");
        doubted.awaitState("p1l1 is back", state -> state.phase().equals("converged")
            && !state.switchNamed("p1l1").has("in-doubt"));
        await("all pairs answer").atMost(LabFabric.TIMEOUT).until(() -> doubted.missingPairs().isEmpty());
    }
}
