package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.daqfabric.api.placement.Identities;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.identity.IdentityAssignment;
import org.junit.jupiter.api.Test;

/** The state of a switch whose bridge or node is another one from now on. */
class MovedSwitchTest {
    private static final String LEAF = "leaf-1-1";
    private static final Set<String> TYPES = Set.of("system");

    private final World world = new World(1);
    private final FabricSpec spec = TestFabrics.regular("tiny", 1, 2, 1, 1, 1, 1);

    /** What the old node reported says nothing about the new one, which has not connected yet. */
    @Test
    void nodeThatHasNotConnectedIsNotShownAsConnected() {
        world.configure(spec);
        world.settle();
        assertThat(leaf().ovsdbConnected()).isTrue();
        world.manager.fabricChanged(moved("new", "br-daq"));
        world.pass(Following.FOLLOWS);
        assertThat(leaf().ovsdbConnected()).isFalse();
        assertThat(world.phase(spec)).isEqualTo(Phase.WAITING);
        world.manager.nodeDisconnected(LEAF);
        world.manager.nodeConnected("new", "3.1.0", TYPES);
        world.settle();
        assertThat(leaf().ovsdbConnected()).isTrue();
    }

    /** A node that connected before it had a switch is shown as connected. */
    @Test
    void nodeThatHasConnectedIsShownAsConnected() {
        world.configure(spec);
        world.manager.nodeConnected("new", "3.1.0", TYPES);
        world.settle();
        world.manager.fabricChanged(moved("new", "br-daq"));
        world.manager.nodeDisconnected(LEAF);
        world.pass(Following.FOLLOWS);
        assertThat(leaf().ovsdbConnected()).isTrue();
    }

    /** The ports of the old bridge are not those of the new one, which has not been made yet. */
    @Test
    void portsOfTheOldBridgeAreForgotten() {
        world.configure(spec);
        world.settle();
        world.manager.bridge(LEAF, "br-daq", Map.of(), "the old bridge has no room");
        world.settle();
        assertThat(leaf().lastError()).contains("no room");
        world.manager.fabricChanged(moved(LEAF, "br-new"));
        world.pass(Following.FOLLOWS);
        assertThat(leaf().ovsdbConnected()).isTrue();
        assertThat(leaf().lastError()).isEmpty();
    }

    /** Who has mistyped a system-id and corrects it has the switch back at once: nothing needs to be waited for. */
    @Test
    void correctedNodeIsTakenBackAtOnce() {
        FabricSpec two = TestFabrics.regular("tiny", 2, 2, 2, 1, 1, 1);
        world.configure(two);
        world.settle();
        world.pass(Duration.ofSeconds(10));
        assertThat(world.phase(two)).isEqualTo(Phase.CONVERGED);
        world.manager.fabricChanged(moved(two, "mistyped", "br-daq"));
        world.pass(Duration.ofSeconds(10));
        assertThat(world.phase(two)).isEqualTo(Phase.WAITING);
        world.manager.fabricChanged(two);
        world.pass(Duration.ofSeconds(5));
        assertThat(world.phase(two)).isEqualTo(Phase.CONVERGED);
    }

    /** Bridges of a version that stored no identities keep the datapath-ids that they have by their names. */
    @Test
    void bridgesWithoutStoredIdentityKeepTheirDatapathIds() {
        world.stored.put(spec.name(),
            new Decision(Placement.EMPTY, PortNumbers.EMPTY, IdentityAssignment.byName(spec), Optional.empty()));
        world.configure(spec);
        world.settle();
        Map<String, Bridge> made = world.network.bridges();
        Decision stored = world.stored.get(spec.name());
        world.stored.put(spec.name(), new Decision(stored.placement(), stored.portNumbers(), Identities.NONE,
            Optional.empty()));
        int messages = world.network.messages();
        world.manager.close();
        world.start(spec);
        world.network.reconnect();
        world.settle();
        assertThat(world.network.bridges()).isEqualTo(made);
        assertThat(world.network.messages()).isEqualTo(messages);
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(made.get(LEAF + "/br-daq").datapathId())
            .isEqualTo(IdentityAssignment.byName(spec).of(LEAF).datapathId())
            .isNotEqualTo(IdentityAssignment.of(spec, Identities.NONE).of(LEAF).datapathId());
    }

    private SwitchState leaf() {
        return world.states.get("tiny").switches().stream().filter(each -> each.name().equals(LEAF)).findFirst()
            .orElseThrow();
    }

    private FabricSpec moved(String systemId, String bridge) {
        return moved(spec, systemId, bridge);
    }

    private static FabricSpec moved(FabricSpec spec, String systemId, String bridge) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches().stream().map(sw ->
            !sw.name().equals(LEAF) ? sw : new Switch(sw.name(), systemId, sw.ovsdbAddress(), bridge,
                sw.datapathType(), sw.adminState())).toList(), spec.links(), spec.policy());
    }
}
