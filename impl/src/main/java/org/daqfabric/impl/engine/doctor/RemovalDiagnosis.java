package org.daqfabric.impl.engine.doctor;


import static org.daqfabric.impl.engine.doctor.Diagnosed.alarm;
import static org.daqfabric.impl.engine.doctor.Diagnosed.note;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Leaving;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Node;

/** Bridges that fabrics have left and that are still there, and bridges that no fabric names. */
final class RemovalDiagnosis {
    private RemovalDiagnosis() {
    }

    static List<Diagnosed> of(DiagnosisInput input) {
        List<Diagnosed> found = new ArrayList<>();
        input.leaving().forEach(each -> found.add(leaving(input, each)));
        input.orphans().forEach(each -> found.add(orphan(input, each)));
        return found;
    }

    private static Diagnosed leaving(DiagnosisInput input, Leaving leaving) {
        MarkedBridge bridge = leaving.bridge();
        String subject = "node " + bridge.systemId();
        String what = "its bridge " + bridge.bridge() + ", which fabric " + bridge.fabric() + " left at "
            + leaving.since() + ", is still to be removed";
        boolean connected = input.nodes().stream()
            .anyMatch(node -> node.systemId().equals(bridge.systemId()) && node.connected());
        return connected
            ? note(subject, what, "ask again in a moment; it stays as long as switches of fabric " + bridge.fabric()
                + " have rules that lead to it, and while the node refuses (data/log/karaf.log)")
            : alarm(AlarmType.BRIDGE_NOT_REMOVED,
                AlarmResource.own(AlarmResource.Kind.NODE, bridge.systemId() + "/" + bridge.bridge() + "/"
                    + bridge.fabric()), subject, what + ": the node is not connected",
                "start it, or see what keeps it from connecting:"
                + " the bridge is then removed by itself. If the node never returns: rpc"
                + " daqfabric-operations:forget-removals");
    }

    /** A bridge of a configured fabric that has lost its switch is in use: its node has another system-id now. */
    private static Diagnosed orphan(DiagnosisInput input, MarkedBridge orphan) {
        Set<String> connected = input.nodes().stream().filter(Node::connected).map(Node::systemId)
            .collect(Collectors.toSet());
        Optional<Switch> lost = input.fabrics().stream().map(ConfiguredFabric::spec)
            .filter(spec -> spec.name().equals(orphan.fabric())).flatMap(spec -> spec.switches().stream())
            .filter(each -> each.bridge().equals(orphan.bridge()) && !connected.contains(each.systemId()))
            .findFirst();
        String subject = "node " + orphan.systemId();
        String what = "its bridge " + orphan.bridge() + " was made for fabric " + orphan.fabric();
        return lost.isPresent()
            ? note(subject, what + ", of which a switch has no node, such as " + lost.get().name() + " (system-id "
                + lost.get().systemId() + "): the node now calls itself " + orphan.systemId() + ", and the bridge may"
                + " be in use", "on the node: ovs-vsctl set Open_vSwitch . external_ids:system-id=SYSTEM-ID as the"
                + " configuration has it, or give the switch the system-id " + orphan.systemId())
            : note(subject, what + ", and no configured fabric has it: it is left as it is",
                "put its switch into a fabric, or remove it: rpc daqfabric-operations:remove-orphans");
    }
}
