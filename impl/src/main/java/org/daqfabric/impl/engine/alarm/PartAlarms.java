package org.daqfabric.impl.engine.alarm;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.SwitchState;

/** What is wrong with a link or switch of a fabric. */
public final class PartAlarms {
    private PartAlarms() {
    }

    public static Optional<AlarmType> of(LinkState link) {
        return link.operState() == OperState.DOWN ? Optional.of(AlarmType.LINK_DOWN)
            : link.operState() == OperState.MISCABLED ? Optional.of(AlarmType.LINK_MISCABLED)
            : link.heldBack() ? Optional.of(AlarmType.LINK_HELD_BACK) : Optional.empty();
    }

    /** Whether it is connected, and holds what it must. */
    public static Set<AlarmType> of(SwitchState sw) {
        Set<AlarmType> wrong = EnumSet.noneOf(AlarmType.class);
        if (!sw.lastError().isEmpty()) {
            wrong.add(AlarmType.SWITCH_ERROR);
        }
        if (!sw.ovsdbConnected()) {
            wrong.add(AlarmType.SWITCH_AWAY);
        } else if (!sw.openflowConnected()) {
            wrong.add(AlarmType.SWITCH_WITHOUT_OPENFLOW);
        }
        return wrong;
    }
}
