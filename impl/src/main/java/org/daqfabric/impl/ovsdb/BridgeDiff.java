package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Bridge.Port;
import org.daqfabric.impl.ovsdb.BridgePlan.Desired;
import org.daqfabric.impl.ovsdb.BridgePlan.PortOwners;
import org.daqfabric.impl.ovsdb.BridgePlan.Problems;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.InterfaceRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.MirrorRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.PortRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;

/** The operations that bring one bridge to its desired state, and what prevents it. */
final class BridgeDiff {
    private static final String MARK = BridgePlan.MARK;
    static final String SECURE = "secure";

    private final Operations operations = new Operations();
    private final SortedMap<String, String> portProblems = new TreeMap<>();
    private final List<JsonElement> newPorts = new ArrayList<>();
    private final List<String> corrections = new ArrayList<>();
    private final OvsdbSnapshot snapshot;
    private final Bridge bridge;
    private final PortOwners owners;
    private final Set<String> claimed;
    private final String prefix;
    private final String serial;
    private final Map<String, String> marks;
    private final ControllerDiff controllers;
    private String problem = "";
    private int named;

    /**
     * Computes the difference.
     *
     * @param row the existing bridge; null if there is none
     * @param claimed names that no further port of the node may have; this bridge's ports are added
     * @param prefix of the uuid-names of this bridge's new rows
     */
    BridgeDiff(OvsdbSnapshot snapshot, SystemRow system, Bridge bridge, BridgeRow row, Desired desired,
            PortOwners owners, Set<String> claimed, String prefix) {
        this.snapshot = snapshot;
        this.bridge = bridge;
        this.owners = owners;
        this.claimed = claimed;
        this.prefix = prefix;
        marks = desired.known().marks(bridge);
        serial = desired.known().serial(bridge.name(), row).orElse(desired.serial());
        controllers = new ControllerDiff(operations, snapshot, bridge.fabric(), this::nextName);
        if (row == null) {
            create(system, desired.controllers());
        } else {
            List<String> cleared = desired.known().cleared(row);
            if (!cleared.isEmpty()) {
                corrections.add("bridge " + row.name() + " is ours, and another tool has cleared "
                    + String.join(", ", cleared) + " (such as a network reload or ovs-vsctl emer-reset): restored");
            }
            change(system, row, desired.controllers());
        }
    }

    List<JsonObject> operations() {
        return operations.list();
    }

    Problems problems() {
        return new Problems(problem, portProblems);
    }

    /** What another tool or person has changed and these operations put right, in words. */
    List<String> corrections() {
        return List.copyOf(corrections);
    }

    /** Uuids of the ports that have our mark and are no longer desired. */
    static SortedSet<String> removedPorts(OvsdbSnapshot snapshot, BridgeRow row, Bridge bridge) {
        SortedSet<String> removed = new TreeSet<>();
        if (bridge.surplusStays()) {
            return removed;
        }
        for (String uuid : row.ports()) {
            PortRow port = snapshot.ports().get(uuid);
            if (port != null && port.externalIds().containsKey(MARK) && !bridge.ports().containsKey(port.name())
                    && !port.name().equals(row.name())) {
                removed.add(uuid);
            }
        }
        return removed;
    }

    private void create(SystemRow system, SortedSet<String> targets) {
        String place = owners.placeOf(bridge.name());
        if (place != null) {
            problem = "bridge " + bridge.name() + " cannot be made: a port of that name is in " + place
                + "; rename one of the two";
            return;
        }
        insertPort(bridge.name(), localInterface(), true);
        bridge.ports().forEach((name, port) -> addPort(name, DpdkPorts.inWordsOf(system, port)));
        List<JsonElement> newControllers = new ArrayList<>();
        targets.forEach(target -> newControllers.add(controllers.insert(target)));
        JsonObject columns = columns();
        columns.addProperty("name", bridge.name());
        columns.add("other_config", OvsdbValues.map(otherConfig()));
        columns.add("external_ids", OvsdbValues.map(marks));
        columns.add("ports", OvsdbValues.set(newPorts));
        columns.add("controller", OvsdbValues.set(newControllers));
        String name = nextName();
        operations.insert("Bridge", name, columns);
        operations.mutate("Open_vSwitch", system.uuid(),
            OvsdbValues.array(OvsdbValues.array("bridges", "insert", set(OvsdbValues.namedUuid(name)))));
    }

    private void change(SystemRow system, BridgeRow row, SortedSet<String> targets) {
        Map<String, PortRow> existingPorts = new HashMap<>();
        for (String uuid : row.ports()) {
            PortRow port = snapshot.ports().get(uuid);
            if (port != null) {
                existingPorts.put(port.name(), port);
            }
        }
        PortRow local = existingPorts.get(bridge.name());
        if (local == null) {
            insertPort(bridge.name(), localInterface(), true);
        } else {
            changeLocal(local);
        }
        bridge.ports().forEach((name, wanted) -> {
            Port port = DpdkPorts.inWordsOf(system, wanted);
            PortRow existing = existingPorts.get(name);
            if (existing == null || name.equals(bridge.name())) {
                addPort(name, port);
            } else if (claim(name)) {
                changePort(existing, port);
            }
        });
        RowChanges changes = new RowChanges("Bridge", row.uuid());
        changes.references("ports", newPorts, removedPorts(snapshot, row, bridge));
        changes.references("mirrors", List.of(), harmfulMirrors(row));
        if (!targets.isEmpty()) {
            controllers.change(row, targets, changes);
        }
        changes.entries("other_config", row.otherConfig(), otherConfig());
        changes.entries("external_ids", row.externalIds(), marks);
        JsonObject columns = columns();
        changes.column("datapath_type", columns.get("datapath_type"), columns.get("datapath_type").getAsString()
            .equals(row.datapathType().isEmpty() ? "system" : row.datapathType()));
        changes.column("fail_mode", columns.get("fail_mode"), SECURE.equals(row.failMode()));
        changes.column("protocols", columns.get("protocols"), row.protocols().equals(Set.of("OpenFlow13")));
        corrections.addAll(changes.putRight(row.deviations(), "bridge " + row.name()));
        corrections.addAll(controllers.corrections());
        changes.addTo(operations);
        // the transaction fails if the bridge was replaced, has lost our mark or belongs to somebody else meanwhile
        operations.expectFirst("Bridge", row.uuid(), row.name(), "external_ids", MARK, row.externalIds().get(MARK));
        String installation = row.externalIds().get(BridgePlan.INSTALLATION);
        if (installation != null) {
            operations.expectFirst("Bridge", row.uuid(), row.name(), "external_ids", BridgePlan.INSTALLATION,
                installation);
        }
    }

    /** Uuids of mirrors that copy packets to ports of ours. */
    private List<String> harmfulMirrors(BridgeRow row) {
        List<String> harmful = new ArrayList<>();
        for (String uuid : row.mirrors()) {
            MirrorRow mirror = snapshot.mirrors().get(uuid);
            PortRow output = mirror == null ? null : snapshot.ports().get(mirror.outputPort());
            boolean ours = output != null && (output.name().equals(bridge.name())
                || bridge.ports().containsKey(output.name()));
            if (ours || mirror != null && mirror.outputVlan()) {
                harmful.add(uuid);
                corrections.add("bridge " + row.name() + " had mirror " + mirror.name() + ", which copied packets to "
                    + (ours ? "port " + output.name() : "the ports of a VLAN") + ": taken out; a mirror to a port that"
                    + " is not in the configuration may stay");
            }
        }
        return harmful;
    }

    private JsonObject columns() {
        JsonObject columns = new JsonObject();
        columns.addProperty("datapath_type", bridge.datapathType().name().toLowerCase(Locale.ROOT));
        columns.addProperty("fail_mode", SECURE);
        columns.add("protocols", set(new JsonPrimitive("OpenFlow13")));
        return columns;
    }

    private Map<String, String> otherConfig() {
        return Map.of("datapath-id", OwnBridges.datapathId(bridge), "hwaddr", bridge.mac().toString(),
            "disable-in-band", "true", BridgeSerials.KEY, serial);
    }

    private void addPort(String name, Port port) {
        if (!claim(name)) {
            return;
        }
        String place = owners.placeOf(name);
        if (place != null) {
            portProblems.put(name, "port " + name + " is in " + place + ": take it out there with ovs-vsctl del-port "
                + name + ", or take it out of bridge " + bridge.name());
            return;
        }
        insertPort(name, interfaceColumns(port), hasMtu(port));
    }

    private boolean claim(String name) {
        if (claimed.add(name)) {
            return true;
        }
        portProblems.put(name, "port " + name + " is wanted twice on this node, or has the name of a bridge: rename it"
            + " or take it out of bridge " + bridge.name());
        return false;
    }

    private void insertPort(String name, JsonObject columns, boolean hasMtu) {
        String interfaceName = nextName();
        columns.addProperty("name", name);
        MtuRequest request = hasMtu ? new MtuRequest(bridge.mtu()) : MtuRequest.NONE;
        request.insert(columns);
        operations.insert("Interface", interfaceName, columns);
        final String portName = nextName();
        JsonObject port = new JsonObject();
        port.addProperty("name", name);
        port.add("interfaces", OvsdbValues.namedUuid(interfaceName));
        port.add("external_ids", OvsdbValues.map(marks(request)));
        operations.insert("Port", portName, port);
        newPorts.add(OvsdbValues.namedUuid(portName));
    }

    private void changePort(PortRow row, Port port) {
        InterfaceRow existing = row.interfaces().size() == 1
            ? snapshot.interfaces().get(row.interfaces().first()) : null;
        if (existing == null || !existing.name().equals(row.name())) {
            portProblems.put(row.name(), "port " + row.name() + " of bridge " + bridge.name()
                + " was made by hand of other interfaces: take it out with ovs-vsctl del-port " + row.name());
            return;
        }
        JsonObject columns = new JsonObject();
        if (!existing.type().equals(port.type())) {
            columns.addProperty("type", port.type());
        }
        if (!existing.ofportRequest().equals(OptionalLong.of(port.number()))) {
            columns.addProperty("ofport_request", port.number());
        }
        if (!existing.options().equals(port.options())) {
            columns.add("options", OvsdbValues.map(port.options()));
        }
        if (!existing.bfd().equals(port.bfd())) {
            columns.add("bfd", OvsdbValues.map(port.bfd()));
        }
        change(row, existing, columns, hasMtu(port) ? new MtuRequest(bridge.mtu()) : MtuRequest.NONE);
    }

    private void changeLocal(PortRow row) {
        if (row.interfaces().size() == 1 && snapshot.interfaces().containsKey(row.interfaces().first())) {
            change(row, snapshot.interfaces().get(row.interfaces().first()), new JsonObject(),
                new MtuRequest(bridge.mtu()));
        }
    }

    private void change(PortRow row, InterfaceRow existing, JsonObject columns, MtuRequest request) {
        request.change(row, existing, columns);
        RowChanges device = new RowChanges("Interface", existing.uuid());
        columns.entrySet().forEach(each -> device.columns().add(each.getKey(), each.getValue()));
        String subject = "port " + row.name() + " of bridge " + bridge.name();
        corrections.addAll(device.putRight(existing.deviations(), subject));
        device.addTo(operations);
        RowChanges changes = new RowChanges("Port", row.uuid());
        if (request.isToForget(row)) {
            changes.remove("external_ids", MtuRequest.MARK);
        }
        changes.entries("external_ids", row.externalIds(), marks(request));
        corrections.addAll(changes.putRight(row.deviations(), subject));
        changes.addTo(operations);
    }

    private Map<String, String> marks(MtuRequest request) {
        Map<String, String> ofPort = new TreeMap<>(request.marks());
        ofPort.put(MARK, bridge.fabric());
        return ofPort;
    }

    private static boolean hasMtu(Port port) {
        return !port.type().equals("daqring");
    }

    private static JsonObject interfaceColumns(Port port) {
        JsonObject columns = new JsonObject();
        columns.addProperty("type", port.type());
        columns.addProperty("ofport_request", port.number());
        columns.add("options", OvsdbValues.map(port.options()));
        columns.add("bfd", OvsdbValues.map(port.bfd()));
        return columns;
    }

    private static JsonObject localInterface() {
        JsonObject columns = new JsonObject();
        columns.addProperty("type", "internal");
        return columns;
    }

    private static JsonArray set(JsonElement only) {
        return OvsdbValues.set(List.of(only));
    }

    private String nextName() {
        return prefix + "r" + named++;
    }
}
