package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A restarted switch gets its rules and groups back, and the others are not touched. */
@ExtendWith(SharedController.class)
class SwitchRestartIT {
    private static LabFabric fabric;
    private Map<String, SwitchContents> before;

    @BeforeAll
    static void bringUp(final Lab lab) {
        fabric = lab.converged(lab.generate("restart", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 4"));
        fabric.assertAllReachable();
    }

    @BeforeEach
    void remember() {
        before = fabric.contents();
    }

    /** A switch whose daemon was killed has its bridge and ports when it returns, but no rules. */
    @Test
    void killedSpineGetsItsRulesBack() {
        kill("p1s1");
        fabric.daqlab("restart", "p1s1");
        awaitRestored("p1s1");
    }

    /** For a node that has lost its database too, bridge, ports and rules are created again. */
    @ParameterizedTest
    @ValueSource(strings = { "p2l1", "h2-1" })
    void emptyNodeGetsEverythingBack(final String name) {
        fabric.daqlab("restart", name, "--empty");
        awaitRestored(name);
    }

    /** A link that fails while its spine is disconnected is repaired at once, since its leaf reports it. */
    @Test
    void linkThatFailedWhileItsSpineWasAwayStaysOutOfUse() {
        kill("p1s2");
        fabric.cut("p1l1", "to-p1s2");
        fabric.daqlab("restart", "p1s2");
        fabric.awaitState("the spine is back", state ->
            state.switchNamed("p1s2").get("openflow-connected").getAsBoolean()
            && state.switchNamed("p1s2").has("generation")
            && state.phase().equals("degraded"));
        assertThat(fabric.state().links("down")).containsExactly("p1l1:to-p1s2");
        fabric.assertAllReachable();
        fabric.restore("p1l1", "to-p1s2");
        fabric.assertAllReachable();
    }

    private static void kill(final String name) {
        fabric.daqlab("kill", name);
        fabric.awaitState(name + " is missed", state -> state.phase().equals("degraded")
            && !state.switchNamed(name).get("openflow-connected").getAsBoolean());
    }

    /** Waits until the switch has its rules and groups again, and asserts that the others were not touched. */
    private void awaitRestored(final String restarted) {
        await(restarted).atMost(Duration.ofSeconds(120)).untilAsserted(() ->
            assertThat(fabric.contents(restarted).texts()).isEqualTo(before.get(restarted).texts()));
        fabric.awaitPhase("converged");
        fabric.assertAllReachable();
        fabric.contents().forEach((name, now) -> {
            if (!name.equals(restarted)) {
                before.get(name).assertUntouchedIn(now, name);
            }
        });
    }
}
