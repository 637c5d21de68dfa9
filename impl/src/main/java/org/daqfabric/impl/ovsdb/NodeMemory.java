package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.daqfabric.impl.controller.spi.Installation;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Cause;
import org.daqfabric.impl.ovsdb.BridgeStatus.Report;
import org.daqfabric.impl.ovsdb.ControllerTargets.Way;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.ManagerRow;
import org.eclipse.jdt.annotation.Nullable;

/** What one node's rows said earlier, where they cannot say it any more. Lives in its node's mailbox. */
final class NodeMemory {
    private Map<String, String> fabrics = Map.of();
    /** The fabrics of bridges that had our mark since the node connected, by name. */
    private final Map<String, String> names = new HashMap<>();
    /** Targets of its managers when it connected: one of them leads here. */
    private Optional<SortedSet<String>> connectedBy = Optional.empty();
    /** Targets of managers that were known to lead to controllers of ours. */
    private final SortedSet<String> trusted = new TreeSet<>();
    private Optional<Cause> cause = Optional.empty();
    /** Those that were to be marked last. */
    private SortedMap<String, ManagerRow> marked = new TreeMap<>();

    /** How the node is connected, and which of its managers were known to lead to controllers of ours. */
    Way way(OvsdbSession session, DriverContext context) {
        return Way.of(session, context.settings().members(), trusted, context.installation().get());
    }

    /**
     * Looks at the rows before they are changed, and marks the managers that lead here: members that are not active do
     * so, too, as the active one makes controllers of marked ones alone.
     *
     * @param desired the bridges that fabrics have on it, by name
     */
    void observe(OvsdbSession session, DriverContext context, OvsdbSnapshot snapshot,
            SortedMap<String, Bridge> desired) {
        cause = Optional.empty();
        fabrics = OwnBridges.observe(fabrics, snapshot);
        names.putAll(snapshot.marks());
        names.keySet().retainAll(desired.keySet());
        connectedBy = connectedBy.or(() -> Optional.of(targets(snapshot)));
        Way way = way(session, context);
        List<ManagerRow> certain = ControllerTargets.certain(snapshot, way);
        certain.forEach(each -> trusted.add(each.target()));
        List<JsonObject> marks = desired.isEmpty() && snapshot.marks().isEmpty()
            || snapshot.isOthers(desired.keySet(), way.installation()) ? List.of()
            : ControllerTargets.mark(certain, way);
        if (!marks.isEmpty() && !snapshot.managers().equals(marked)) {
            marked = snapshot.managers();
            session.transact(marks);
        }
    }

    OwnBridges known(Collection<Bridge> desired, BridgeSerials serials, Installation installation) {
        Map<String, String> known = new HashMap<>();
        desired.forEach(bridge -> serials.of(bridge.datapathId()).ifPresent(serial ->
            known.put(bridge.name(), serial)));
        return new OwnBridges(fabrics, known, names, installation);
    }

    /**
     * The connection to the node has ended.
     *
     * @param last its rows; null if they were not read
     */
    void ended(@Nullable OvsdbSnapshot last, String systemId) {
        names.clear();
        if (last != null && last.system().isPresent()) {
            String name = last.system().get().systemId();
            cause = name.equals(systemId) ? managersLost(last)
                : Optional.of(new Cause("the node now calls itself '" + name + "'", "on the node: ovs-vsctl set"
                    + " Open_vSwitch . external_ids:system-id=" + systemId + ", or give the switch the system-id "
                    + name));
        }
        connectedBy = Optional.empty();
    }

    private Optional<Cause> managersLost(OvsdbSnapshot last) {
        SortedSet<String> left = targets(last);
        SortedSet<String> before = connectedBy.orElse(left);
        if (before.isEmpty() || left.stream().anyMatch(before::contains)) {
            return Optional.empty();
        }
        return Optional.of(new Cause(left.isEmpty() ? "its managers were taken out (ovs-vsctl emer-reset or"
            + " del-manager), so that it does not connect any more" : "it has other managers now: "
            + String.join(", ", left), "on the node: ovs-vsctl set-manager " + String.join(" ", before)));
    }

    private static SortedSet<String> targets(OvsdbSnapshot snapshot) {
        return new TreeSet<>(snapshot.managers().values().stream().map(ManagerRow::target).toList());
    }

    /** Why the node cannot connect again by itself; empty if it can, or is connected. */
    Optional<Cause> cause() {
        return cause;
    }

    /**
     * The reports of bridges that lost their controllers and fail mode just before the connection ended: they switch
     * like common ones now, so that no port of theirs is a path.
     *
     * @param reported what was reported of them before
     */
    SortedMap<String, Report> lost(@Nullable OvsdbSnapshot last, Collection<Bridge> desired,
            Map<String, Report> reported) {
        SortedMap<String, Report> lost = new TreeMap<>();
        for (Bridge bridge : last == null ? List.<Bridge>of() : desired) {
            Report before = reported.get(bridge.name());
            if (before != null && last.switchesByItself(bridge.name())) {
                SortedMap<String, PortStatus> ports = new TreeMap<>(before.ports());
                ports.replaceAll((name, status) -> new PortStatus(status.number(), false, status.error()));
                lost.put(bridge.name(), new Report(ports, "bridge " + bridge.name() + " has lost its controllers and"
                    + " its fail mode: it switches by itself and is no path"
                    + cause.map(each -> "; " + each.what() + ": " + each.remedy()).orElse(""), new TreeMap<>()));
            }
        }
        return lost;
    }
}
