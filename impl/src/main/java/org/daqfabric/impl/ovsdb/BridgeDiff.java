package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.Collection;
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
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.ControllerRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.InterfaceRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.PortRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;

/** The operations that bring one bridge to its desired state, and what prevents it. */
final class BridgeDiff {
    /** Longest pause in milliseconds between a node's attempts to reach a controller; Open vSwitch takes no less. */
    private static final int MAX_BACKOFF = 1000;
    /** Milliseconds without a message after which a node probes its controller. */
    private static final int INACTIVITY_PROBE = 5000;
    /** Packets per second that a bridge may send to its controllers; it sends only LLDP. */
    private static final int RATE_LIMIT = 100;
    private static final String OUT_OF_BAND = "out-of-band";
    private static final String MARK = BridgePlan.MARK;

    private final Operations operations = new Operations();
    private final SortedMap<String, String> portProblems = new TreeMap<>();
    private final List<JsonElement> newPorts = new ArrayList<>();
    private final OvsdbSnapshot snapshot;
    private final Bridge bridge;
    private final PortOwners owners;
    private final Set<String> claimed;
    private final String prefix;
    private final String serial;
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
        serial = BridgeSerials.of(row).orElse(desired.serial());
        if (row == null) {
            create(system, desired.controllers());
        } else {
            change(system, row, desired.controllers());
        }
    }

    List<JsonObject> operations() {
        return operations.list();
    }

    Problems problems() {
        return new Problems(problem, portProblems);
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

    private void create(SystemRow system, SortedSet<String> controllers) {
        String place = owners.placeOf(bridge.name());
        if (place != null) {
            problem = "bridge " + bridge.name() + " cannot be made: a port of that name is in " + place
                + "; rename one of the two";
            return;
        }
        insertPort(bridge.name(), localInterface(), true);
        bridge.ports().forEach((name, port) -> addPort(name, DpdkPorts.inWordsOf(system, port)));
        List<JsonElement> newControllers = new ArrayList<>();
        controllers.forEach(target -> newControllers.add(insertController(target)));
        JsonObject columns = columns();
        columns.addProperty("name", bridge.name());
        columns.add("other_config", OvsdbValues.map(otherConfig()));
        columns.add("external_ids", OvsdbValues.map(Map.of(MARK, bridge.fabric())));
        columns.add("ports", OvsdbValues.set(newPorts));
        columns.add("controller", OvsdbValues.set(newControllers));
        String name = nextName();
        operations.insert("Bridge", name, columns);
        operations.mutate("Open_vSwitch", system.uuid(),
            OvsdbValues.array(OvsdbValues.array("bridges", "insert", set(OvsdbValues.namedUuid(name)))));
    }

    private void change(SystemRow system, BridgeRow row, SortedSet<String> controllers) {
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
        JsonArray mutations = new JsonArray();
        mutate(mutations, "ports", newPorts, removedPorts(snapshot, row, bridge));
        if (!controllers.isEmpty()) {
            changeControllers(row, controllers, mutations);
        }
        mutateMap(mutations, "other_config", row.otherConfig(), otherConfig());
        mutateMap(mutations, "external_ids", row.externalIds(), Map.of(MARK, bridge.fabric()));
        operations.mutate("Bridge", row.uuid(), mutations);

        JsonObject columns = columns();
        String datapathType = row.datapathType().isEmpty() ? "system" : row.datapathType();
        if (columns.get("datapath_type").getAsString().equals(datapathType)) {
            columns.remove("datapath_type");
        }
        if (columns.get("fail_mode").getAsString().equals(row.failMode())) {
            columns.remove("fail_mode");
        }
        if (row.protocols().equals(Set.of("OpenFlow13"))) {
            columns.remove("protocols");
        }
        operations.update("Bridge", row.uuid(), columns);
        // the transaction fails if the bridge was replaced or has lost our mark meanwhile
        operations.expectFirst("Bridge", row.uuid(), row.name(), "external_ids", MARK, row.externalIds().get(MARK));
    }

    private JsonObject columns() {
        JsonObject columns = new JsonObject();
        columns.addProperty("datapath_type", bridge.datapathType().name().toLowerCase(Locale.ROOT));
        columns.addProperty("fail_mode", "secure");
        columns.add("protocols", set(new JsonPrimitive("OpenFlow13")));
        return columns;
    }

    private Map<String, String> otherConfig() {
        return Map.of("datapath-id", "%016x".formatted(bridge.datapathId()), "hwaddr", bridge.mac().toString(),
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
        operations.update("Interface", existing.uuid(), columns);
        JsonArray mutations = new JsonArray();
        if (request.isToForget(row)) {
            mutations.add(OvsdbValues.array("external_ids", "delete",
                OvsdbValues.set(List.of(new JsonPrimitive(MtuRequest.MARK)))));
        }
        mutateMap(mutations, "external_ids", row.externalIds(), marks(request));
        operations.mutate("Port", row.uuid(), mutations);
    }

    private Map<String, String> marks(MtuRequest request) {
        Map<String, String> marks = new TreeMap<>(request.marks());
        marks.put(MARK, bridge.fabric());
        return marks;
    }

    private static boolean hasMtu(Port port) {
        return !port.type().equals("daqring");
    }

    private void changeControllers(BridgeRow row, SortedSet<String> targets, JsonArray mutations) {
        SortedSet<String> missing = new TreeSet<>(targets);
        List<String> removed = new ArrayList<>();
        for (String uuid : row.controllers()) {
            ControllerRow existing = snapshot.controllers().get(uuid);
            if (existing == null) {
                continue;
            }
            if (missing.remove(existing.target())) {
                changeController(existing);
            } else if (existing.externalIds().containsKey(MARK)) {
                removed.add(uuid);
            }
        }
        List<JsonElement> added = new ArrayList<>();
        missing.forEach(target -> added.add(insertController(target)));
        mutate(mutations, "controller", added, removed);
    }

    private JsonArray insertController(String target) {
        JsonObject columns = controllerColumns();
        columns.addProperty("target", target);
        columns.add("external_ids", OvsdbValues.map(Map.of(MARK, bridge.fabric())));
        String name = nextName();
        operations.insert("Controller", name, columns);
        return OvsdbValues.namedUuid(name);
    }

    private void changeController(ControllerRow existing) {
        JsonObject columns = controllerColumns();
        if (existing.connectionMode().equals(OUT_OF_BAND)) {
            columns.remove("connection_mode");
        }
        if (existing.maxBackoff().equals(OptionalLong.of(MAX_BACKOFF))) {
            columns.remove("max_backoff");
        }
        if (existing.inactivityProbe().equals(OptionalLong.of(INACTIVITY_PROBE))) {
            columns.remove("inactivity_probe");
        }
        if (existing.rateLimit().equals(OptionalLong.of(RATE_LIMIT))) {
            columns.remove("controller_rate_limit");
        }
        operations.update("Controller", existing.uuid(), columns);
        JsonArray mutations = new JsonArray();
        mutateMap(mutations, "external_ids", existing.externalIds(), Map.of(MARK, bridge.fabric()));
        operations.mutate("Controller", existing.uuid(), mutations);
    }

    private static JsonObject controllerColumns() {
        JsonObject columns = new JsonObject();
        columns.addProperty("connection_mode", OUT_OF_BAND);
        columns.addProperty("max_backoff", MAX_BACKOFF);
        columns.addProperty("inactivity_probe", INACTIVITY_PROBE);
        columns.addProperty("controller_rate_limit", RATE_LIMIT);
        return columns;
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

    /** Inserts references into a set and deletes others. */
    private static void mutate(JsonArray mutations, String column, List<JsonElement> added,
            Collection<String> removed) {
        if (!removed.isEmpty()) {
            mutations.add(OvsdbValues.array(column, "delete",
                OvsdbValues.set(removed.stream().map(OvsdbValues::uuid).toList())));
        }
        if (!added.isEmpty()) {
            mutations.add(OvsdbValues.array(column, "insert", OvsdbValues.set(added)));
        }
    }

    /** Sets entries of a map; other entries are kept. */
    private static void mutateMap(JsonArray mutations, String column, Map<String, String> existing,
            Map<String, String> desired) {
        if (existing.entrySet().containsAll(desired.entrySet())) {
            return;
        }
        SortedMap<String, String> missing = new TreeMap<>(desired);
        missing.entrySet().removeIf(entry -> entry.getValue().equals(existing.get(entry.getKey())));
        // "insert" does not replace the value of an existing key
        List<JsonPrimitive> replaced = missing.keySet().stream().filter(existing::containsKey).map(JsonPrimitive::new)
            .toList();
        if (!replaced.isEmpty()) {
            mutations.add(OvsdbValues.array(column, "delete", OvsdbValues.set(replaced)));
        }
        mutations.add(OvsdbValues.array(column, "insert", OvsdbValues.map(missing)));
    }

    private static JsonArray set(JsonElement only) {
        return OvsdbValues.set(List.of(only));
    }

    private String nextName() {
        return prefix + "r" + named++;
    }
}
