package org.daqfabric.impl.runcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Role;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.junit.jupiter.api.Test;

/** Which changes of links are told. */
class RunChangesTest {
    private static final PortId LINK = new PortId("leaf", "spine");

    private static FabricState state(OperState link, boolean inDoubt) {
        return new FabricState("f", Phase.DEGRADED, 1, List.of(new SwitchState("leaf", Role.LEAF, !inDoubt, !inDoubt,
            inDoubt, 1, OptionalLong.of(1), 1, 1, OptionalInt.of(0), Optional.empty(), "")),
            List.of(new LinkState(LINK, link, Instant.EPOCH, Optional.empty(), false)), List.of(), List.of(), List.of(),
            List.of(), List.of(), new Capacity(0, 0, "", 0), Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static boolean isTold(FabricState before, FabricState now) {
        return RunChanges.between(before, now).stream().anyMatch(RunEvent.LinkChanged.class::isInstance);
    }

    /** After a start all links become known at once. */
    @Test
    void linksThatBecomeKnownAreNotTold() {
        assertThat(isTold(state(OperState.UNKNOWN, false), state(OperState.UP, false))).isFalse();
    }

    @Test
    void linksOfASwitchInDoubtAreToldAndThatItHasConnected() {
        assertThat(isTold(state(OperState.UP, false), state(OperState.UNKNOWN, true))).isTrue();
        assertThat(isTold(state(OperState.UNKNOWN, true), state(OperState.UP, false))).isTrue();
    }
}
