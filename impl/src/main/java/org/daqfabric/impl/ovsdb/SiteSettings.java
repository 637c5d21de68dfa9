package org.daqfabric.impl.ovsdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Cause;
import org.daqfabric.impl.ovsdb.ForwardingColumn.Handling;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.InterfaceRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.PortRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;

/** What a node's database has that changes the packets of a bridge of ours and may be wanted by the site. */
final class SiteSettings {
    /** Key in {@code external_ids} under which daqfabric-node tells what of its settings is not in force. */
    static final String NODE = "daqfabric-node";

    private static final String IN_FORCE = "in force";
    private static final int LONGEST = 250;
    private static final String WAITS = "flow-restore-wait";

    private SiteSettings() {
    }

    /** In words, each with the command that ends it. */
    static List<String> of(OvsdbSnapshot snapshot, Bridge bridge) {
        List<String> found = new ArrayList<>();
        snapshot.system().ifPresent(system -> ofNode(system, found));
        snapshot.bridges().values().stream().filter(row -> row.name().equals(bridge.name()))
            .forEach(row -> ofBridge(snapshot, bridge, row, found));
        return found;
    }

    private static void ofNode(SystemRow system, List<String> found) {
        String said = system.externalIds().getOrDefault(NODE, IN_FORCE).strip();
        if (!said.isEmpty() && !said.equals(IN_FORCE)) {
            found.add(said.substring(0, Math.min(LONGEST, said.length())) + " (on node " + system.systemId()
                + "; there, daqfabric-node status says more)");
        }
        reported(system).forEach(each -> found.add(text("node " + system.systemId(), each,
            system.otherConfig().get(each.key()), each.remedy())));
    }

    /** What the node's own row has that keeps ovs-vswitchd from controllers. */
    static Optional<Cause> cause(SystemRow system) {
        return reported(system).filter(each -> each.key().equals(WAITS)).findFirst().map(each -> new Cause(each.name()
            + " is " + system.otherConfig().get(each.key()) + " on the node: " + each.effect(), "on the node: "
            + each.remedy()));
    }

    private static Stream<ForwardingColumn> reported(SystemRow system) {
        return ForwardingColumns.of("Open_vSwitch").stream().filter(each -> each.handling() == Handling.REPORTED
            && !each.switchedOn(system.otherConfig()).isEmpty());
    }

    private static void ofBridge(OvsdbSnapshot snapshot, Bridge bridge, BridgeRow row, List<String> found) {
        ControllerDiff.foreign(snapshot, row).forEach(each -> found.add("controller " + each.target() + " of bridge "
            + row.name() + (each.isListener() ? " is a listener and is none of ours: any program that connects there"
                : " is connected and is none of ours: it") + " can change every rule; end it with ovs-vsctl remove"
            + " bridge " + row.name() + " controller " + each.uuid()));
        for (String uuid : row.ports()) {
            PortRow port = snapshot.ports().get(uuid);
            if (port == null || !port.name().equals(row.name()) && !bridge.ports().containsKey(port.name())) {
                continue;
            }
            reported("Port", port.name(), port.deviations(), found);
            for (String device : port.interfaces()) {
                InterfaceRow held = snapshot.interfaces().get(device);
                if (held != null) {
                    reported("Interface", held.name(), held.deviations(), found);
                }
            }
        }
    }

    private static void reported(String table, String port, SortedMap<String, String> deviations, List<String> found) {
        ForwardingColumns.handled(table, deviations, Handling.REPORTED).forEach(each ->
            found.add(text("port " + port, each, deviations.get(each.name()), each.remedy().replace("PORT", port))));
    }

    private static String text(String subject, ForwardingColumn column, String value, String remedy) {
        return subject + " has " + column.name() + " " + value + ": " + column.effect() + "; end it with " + remedy;
    }
}
