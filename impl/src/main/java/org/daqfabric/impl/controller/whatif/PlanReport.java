package org.daqfabric.impl.controller.whatif;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.SwitchIdentity;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.plan.Effect;
import org.daqfabric.api.plan.Effect.BridgeChange;
import org.daqfabric.api.plan.Effect.Count;
import org.daqfabric.api.plan.Effect.CutOff;
import org.daqfabric.api.plan.Effect.SwitchChange;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.controller.rollout.MoveCounter;
import org.daqfabric.impl.controller.rollout.Planner;
import org.daqfabric.impl.engine.capacity.Capacities;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.whatif.ChangeCount;
import org.daqfabric.impl.engine.whatif.WhatIfQuestion;
import org.eclipse.jdt.annotation.Nullable;

/** Reports the effects of a change or failure, from a dry run. */
public final class PlanReport {
    private PlanReport() {
    }

    /** Makes a dry run and compares its end with the present; a failing switch is sent nothing. */
    public static Effect of(Snapshot now, WhatIfQuestion asked) {
        Set<String> failing = asked.switches();
        DryRun then = DryRun.of(now, failing);
        Placement placement = then.decision().placement();
        Loads loads = Loads.of(then.topology(), then.unusable(), placement);
        Topology present = asked.measured().map(weights ->
            new Topology(weights.applied(now.topology().spec()), now.topology().identities())).orElse(now.topology());
        double nominalNow = Capacities.nominal(present);
        double nominalThen = now.next() == now.topology() ? nominalNow : Capacities.nominal(now.next());
        return new Effect(then.messages(), switches(now, then, failing),
            MoveCounter.listMoves(now.topology(), now.decision().placement(), then.topology(), placement),
            cutOff(then.topology(), loads), capacity(present, now.unusable(), now.decision().placement(), nominalNow),
            Capacities.capacity(loads, nominalThen));
    }

    private static Capacity capacity(Topology topology, UnusableLinks unusable, Placement placement, double nominal) {
        return Capacities.capacity(Loads.of(topology, unusable, placement), nominal);
    }

    private static List<SwitchChange> switches(Snapshot now, DryRun then, Set<String> failing) {
        SortedMap<String, Bridge> before = Planner.bridges(now.topology(), now.decision());
        SortedMap<String, Bridge> after = Planner.bridges(then.topology(), then.decision());
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        names.removeAll(failing);
        List<SwitchChange> changes = new ArrayList<>();
        for (String name : names) {
            Program had = now.programs().getOrDefault(name, Program.EMPTY);
            Program has = then.programs().getOrDefault(name, Program.EMPTY);
            SortedMap<String, Bridge.Port> hadPorts = ports(before.get(name));
            SortedMap<String, Bridge.Port> hasPorts = ports(after.get(name));
            SwitchChange change = new SwitchChange(name, bridge(before.get(name), after.get(name),
                isMoved(now.topology(), then.topology(), name)),
                ChangeCount.count(had.rules(), has.rules(), rule -> true),
                ChangeCount.count(had.groups(), has.groups(), group -> true),
                ChangeCount.count(hadPorts, hasPorts, PlanReport::isRing),
                ChangeCount.count(hadPorts, hasPorts, port -> !isRing(port)), then.messages(name));
            if (!change.equals(new SwitchChange(name, Optional.empty(), Count.NONE, Count.NONE, Count.NONE, Count.NONE,
                    0))) {
                changes.add(change);
            }
        }
        return changes;
    }

    private static SortedMap<String, Bridge.Port> ports(@Nullable Bridge bridge) {
        return bridge == null ? Collections.emptySortedMap() : bridge.ports();
    }

    private static boolean isRing(Bridge.Port port) {
        return !port.type().isEmpty();
    }

    private static Optional<BridgeChange> bridge(@Nullable Bridge before, @Nullable Bridge after, boolean moved) {
        return before == null ? Optional.of(BridgeChange.ADDED)
            : after == null ? Optional.of(BridgeChange.REMOVED)
            : moved ? Optional.of(BridgeChange.MOVED) : Optional.empty();
    }

    private static boolean isMoved(Topology now, Topology then, String switchName) {
        SwitchIdentity before = now.identities().switches().get(switchName);
        SwitchIdentity after = then.identities().switches().get(switchName);
        return before != null && after != null && !(before.isSameBridge(after)
            && now.switchOf(switchName).datapathType() == then.switchOf(switchName).datapathType());
    }

    private static List<CutOff> cutOff(Topology topology, Loads loads) {
        int ros = (int) topology.endpoints().values().stream().filter(host -> !host.isDcm()).count();
        return topology.endpoints().values().stream().filter(Endpoint::isDcm)
            .map(dcm -> new CutOff(dcm.name(), loads.reachableRos().getOrDefault(dcm.address(), 0)))
            .filter(each -> each.reachableRos() < ros)
            .sorted(Comparator.comparing(CutOff::dcm)).toList();
    }
}
