package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Without BFD a link that returns is used only when packets have passed both ways. */
@ExtendWith(SharedController.class)
class PortMadeAnewIT {
    private static final String LINK = "p1l1:to-p1s1";

    private static LabFabric fabric;

    @BeforeAll
    static void bringUp(final Lab lab) {
        fabric = lab.converged(lab.generate("anew", "--planes 1 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2"));
        fabric.assertAllReachable();
    }

    /**
     * A cable that is put back is used again within a moment, as frames are sent at once. Devices that are made anew
     * under their names are opened anew; while they have carrier and lead nowhere they are not used, and they are when
     * they lead to each other. Nothing is lost meanwhile.
     */
    @Test
    void carrierIsNotEnough(final Distribution controller) {
        fabric.cut("p1l1", "to-p1s1");
        fabric.assertAllReachable();
        fabric.restore("p1l1", "to-p1s1");
        fabric.assertAllReachable();

        final var log = controller.logLines().size();
        try (var cable = LossyCable.leadingNowhere(fabric)) {
            for (var port : List.of("p1l1: port to-p1s1", "p1s1: port to-p1l1")) {
                await(port).atMost(LabFabric.TIMEOUT).untilAsserted(() ->
                    assertThat(controller.logLines().stream().skip(log)).anyMatch(line -> line.contains("Node "
                        + fabric.name() + "." + port + ": its device was made anew under its name")));
            }
            fabric.awaitState("it is down", state -> state.links("down").equals(Set.of(LINK)));
            await("carrier at both ends").atMost(LabFabric.TIMEOUT).until(() -> hasCarrier("p1l1", "to-p1s1")
                && hasCarrier("p1s1", "to-p1l1"));
            fabric.awaitPhase("degraded").assertAllReachable();
            try (var ping = fabric.ping(20); var shell = new Shell(controller)) {
                FirstFinding.await(shell, fabric.name(),
                    "frames of the controller have not arrived at both ends since it was down");
                assertThat(fabric.state().links("down")).containsExactly(LINK);
                cable.lead();
                fabric.awaitPhase("converged").assertAllReachable();
                assertThat(fabric.state().links("down")).isEmpty();
                ping.assertLostNothing();
            }
        }
    }

    private static boolean hasCarrier(final String node, final String port) {
        return fabric.vsctl(node, "get", "interface", port, "link_state").equals(List.of("up"));
    }
}
