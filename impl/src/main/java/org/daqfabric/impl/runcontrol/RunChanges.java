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
import org.daqfabric.api.state.FabricState.SwitchState;

/** What happened between two states. Pure functions. */
final class RunChanges {
    private RunChanges() {
    }

    /**
     * What happened to a fabric; of one seen for the first time only what is wrong.
     *
     * @param before null if it was not seen before
     */
    static List<RunEvent> of(FabricState before, FabricState now) {
        List<RunEvent> happenings = new ArrayList<>();
        Map<String, SwitchState> switches = before == null ? Map.of() : before.switches().stream()
            .collect(Collectors.toMap(SwitchState::name, Function.identity()));
        for (SwitchState sw : now.switches()) {
            SwitchState old = switches.get(sw.name());
            if (old == null ? !sw.lastError().isEmpty()
                : old.ovsdbConnected() != sw.ovsdbConnected() || old.openflowConnected() != sw.openflowConnected()
                    || !old.lastError().equals(sw.lastError())) {
                happenings.add(new RunEvent.SwitchChanged(now.fabric(), sw));
            }
        }
        Map<PortId, LinkState> links = before == null ? Map.of() : before.links().stream()
            .collect(Collectors.toMap(LinkState::end, Function.identity()));
        for (LinkState link : now.links()) {
            LinkState old = links.get(link.end());
            if (old == null ? link.operState() != FabricState.OperState.UP
                : old.operState() != link.operState() || old.heldBack() != link.heldBack()) {
                happenings.add(new RunEvent.LinkChanged(now.fabric(), link));
            }
        }
        Optional<FabricState.Repair> repair = now.lastRepair().filter(last -> last.confirmed().isPresent());
        if (repair.isPresent() && (before == null || !repair.equals(before.lastRepair()))) {
            happenings.add(new RunEvent.Repaired(now.fabric(), repair.get()));
        }
        return happenings;
    }

    /**
     * What happened to a partition.
     *
     * @param before null if there was none
     */
    static List<RunEvent> of(PartitionState before, PartitionState now) {
        List<RunEvent> happenings = new ArrayList<>();
        boolean isNew = before == null;
        RunState was = isNew ? RunState.IDLE : before.partition().state();
        if (now.partition().state() != was || !isNew && !now.partition().reason().equals(before.partition().reason())) {
            happenings.add(new RunEvent.StateChanged(now));
        }
        if (now.partition().operation().isPresent()
                && (isNew || !now.partition().operation().equals(before.partition().operation()))) {
            happenings.add(new RunEvent.OperationChanged(now, now.partition().operation().get()));
        }
        if (now.condition().isPresent() && (isNew || !now.condition().equals(before.condition()))) {
            happenings.add(new RunEvent.HealthChanged(now));
        }
        return happenings;
    }
}
