package org.daqfabric.impl.runcontrol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.run.RunState;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.eclipse.jdt.annotation.Nullable;

/** The events that lead from one state to the next. Pure functions. */
final class RunChanges {
    private RunChanges() {
    }

    /**
     * Events of a fabric. For a fabric, or a link, seen for the first time, only what is wrong.
     *
     * @param before null for a fabric seen for the first time
     */
    static List<RunEvent> between(@Nullable FabricState before, FabricState now) {
        List<RunEvent> events = new ArrayList<>();
        Map<String, SwitchState> switches = before == null ? Map.of() : before.switches().stream()
            .collect(Collectors.toMap(SwitchState::name, Function.identity()));
        for (SwitchState sw : now.switches()) {
            SwitchState old = switches.get(sw.name());
            if (old == null ? !sw.lastError().isEmpty()
                : old.ovsdbConnected() != sw.ovsdbConnected() || old.openflowConnected() != sw.openflowConnected()
                    || !old.lastError().equals(sw.lastError())) {
                events.add(new RunEvent.SwitchChanged(now.fabric(), sw));
            }
        }
        Map<PortId, LinkState> links = before == null ? Map.of() : before.links().stream()
            .collect(Collectors.toMap(LinkState::end, Function.identity()));
        // links of a switch in doubt were told as unknown
        boolean toldUnknown = before != null && before.switches().stream().anyMatch(SwitchState::inDoubt);
        for (LinkState link : now.links()) {
            LinkState old = links.get(link.end());
            if (old == null || old.operState() == OperState.UNKNOWN && !toldUnknown
                    ? link.operState() != OperState.UP && link.operState() != OperState.UNKNOWN
                    : old.operState() != link.operState() || old.heldBack() != link.heldBack()) {
                events.add(new RunEvent.LinkChanged(now.fabric(), link));
            }
        }
        Optional<FabricState.Repair> repair = now.lastRepair().filter(last -> last.confirmed().isPresent());
        if (repair.isPresent() && (before == null || !repair.equals(before.lastRepair()))) {
            events.add(new RunEvent.Repaired(now.fabric(), repair.get()));
        }
        Optional<FabricState.Rebalanced> step = now.lastRebalanced().filter(last -> last.confirmed().isPresent());
        if (step.isPresent() && (before == null || !step.equals(before.lastRebalanced()))) {
            events.add(new RunEvent.Rebalanced(now.fabric(), step.get()));
        }
        return events;
    }

    /**
     * Events of a partition.
     *
     * @param before null if there was none
     */
    static List<RunEvent> between(@Nullable PartitionState before, PartitionState now) {
        List<RunEvent> events = new ArrayList<>();
        boolean isNew = before == null;
        RunState was = isNew ? RunState.IDLE : before.partition().state();
        if (now.partition().state() != was || !isNew && !now.partition().reason().equals(before.partition().reason())) {
            events.add(new RunEvent.StateChanged(now));
        }
        if (now.partition().operation().isPresent()
                && (isNew || !now.partition().operation().equals(before.partition().operation()))) {
            events.add(new RunEvent.OperationChanged(now, now.partition().operation().get()));
        }
        if (now.condition().isPresent() && (isNew || !now.condition().equals(before.condition()))) {
            events.add(new RunEvent.HealthChanged(now));
        }
        return events;
    }
}
