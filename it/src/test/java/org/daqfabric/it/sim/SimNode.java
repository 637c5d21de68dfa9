package org.daqfabric.it.sim;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.daqfabric.it.sim.Database.Changes;

/**
 * A node: its database and, in place of ovs-vswitchd, the code that creates bridges, ports and controller connections
 * from it.
 */
final class SimNode {
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(8);
    private static final String DAQRING = "daqring";
    private static final List<String> COUNTERS = List.of("rx_bytes", "rx_packets", "rx_dropped", "rx_errors",
        "tx_bytes", "tx_packets", "tx_dropped", "tx_errors");
    private static final JsonElement STATISTICS = zeros();

    private final Map<String, SimSwitch> bridges = new TreeMap<>();
    private final Database database = new Database();
    private final EventLoop loop;
    private final InetSocketAddress manager;
    private final Environment environment;
    private final boolean knowsRings;
    private Dialler dialler;
    private boolean updatePending;
    /** Whether the node itself is writing to the database: such changes need no update of bridges. */
    private boolean writing;

    /** What the ports of a node are connected to. */
    interface Environment {
        /** Whether a device has carrier; empty if there is no such device. */
        Optional<Boolean> carrier(SimNode node, String device);

        /** Receives a frame sent out of a device. */
        void sent(SimNode node, String device, byte[] frame);
    }

    /**
     * Creates a node without power.
     *
     * @param manager address of its OVSDB manager
     * @param knowsRings whether its Open vSwitch has daqrings
     */
    SimNode(final EventLoop loop, final String systemId, final InetSocketAddress manager, final boolean knowsRings,
            final Environment environment) {
        this.loop = loop;
        this.manager = manager;
        this.knowsRings = knowsRings;
        this.environment = environment;
        database.change(transaction -> {
            final var row = new JsonObject();
            row.addProperty("target", "tcp:" + manager.getHostString() + ":" + manager.getPort());
            transaction.put("Manager", "00000000-0000-4000-8000-000000000001", row);
            transaction.set(Schema.SYSTEM, database.system(), Map.of(
                "external_ids", Json.textMap(Map.of("system-id", systemId)),
                "manager_options", Json.uuid("00000000-0000-4000-8000-000000000001"),
                "ovs_version", Json.text("3.1.0"),
                "datapath_types", Json.texts(List.of("netdev", "system")),
                "iface_types", Json.texts(knowsRings ? List.of(DAQRING, "internal", "patch", "system", "tap")
                    : List.of("internal", "patch", "system", "tap"))));
        });
        database.watch(this::changed);
    }

    Collection<SimSwitch> bridges() {
        return bridges.values();
    }

    Optional<SimSwitch> bridge(final String name) {
        return Optional.ofNullable(bridges.get(name));
    }

    boolean isOn() {
        return dialler != null;
    }

    boolean isManaged() {
        return isOn() && dialler.isOpen();
    }

    /** Starts both daemons with the database as it is. */
    void start() {
        dialler = new Dialler(loop, manager, MAX_BACKOFF, () -> new OvsdbSession(loop, database, () -> dialler.drop()));
        applyDatabase();
    }

    /**
     * Powers off.
     *
     * @param forgetful whether it loses its rules and groups, as Open vSwitch does
     */
    void stop(final boolean forgetful) {
        if (dialler == null) {
            return;
        }
        dialler.stop();
        dialler = null;
        for (var bridge : bridges.values()) {
            bridge.controllers(Set.of());
            if (forgetful) {
                bridge.rules().clear();
                bridge.groups().clear();
            }
        }
    }

    /** Closes all connections; they are opened again. */
    void drop() {
        if (dialler != null) {
            dialler.drop();
            bridges.values().forEach(SimSwitch::drop);
        }
    }

    /** Sets the carrier of a device. */
    void carrier(final String device, final boolean up) {
        bridges.values().forEach(bridge -> bridge.carrier(device, up));
        write(transaction -> database.table("Interface").forEach((uuid, row) -> {
            if (Database.text(row.get("name")).equals(device) && row.has("link_state")) {
                transaction.set("Interface", uuid, Map.of("link_state", Json.text(up ? "up" : "down")));
            }
        }));
    }

    /** Counts as if each port had sent and received that many frames of a kilobyte since it was made. */
    void count(final long frames) {
        final Map<JsonElement, JsonElement> counters = new LinkedHashMap<>();
        COUNTERS.forEach(name -> counters.put(Json.text(name), new JsonPrimitive(
            name.endsWith("packets") ? frames : name.endsWith("bytes") ? frames * 1000 : 0)));
        final var counted = Json.map(counters);
        write(transaction -> database.table("Interface").forEach((uuid, row) -> {
            if (row.has("statistics") && !Database.text(Database.value("Interface", row, "type")).equals(DAQRING)) {
                transaction.set("Interface", uuid, Map.of("statistics", counted));
            }
        }));
    }

    private void write(final Consumer<Transaction> edit) {
        writing = true;
        try {
            database.change(edit);
        } finally {
            writing = false;
        }
    }

    /** A frame arrives at a device. */
    void arrive(final String device, final byte[] frame) {
        if (isOn()) {
            bridges.values().forEach(bridge -> bridge.arrive(device, frame));
        }
    }

    private void changed(final Changes changes) {
        final Predicate<String> concerns = table -> changes.tables().containsKey(table);
        if (!updatePending && !writing && (concerns.test("Bridge") || concerns.test("Port")
            || concerns.test("Interface")
                || concerns.test("Controller") || concerns.test(Schema.SYSTEM))) {
            updatePending = true;
            loop.execute(() -> {
                updatePending = false;
                if (isOn()) {
                    applyDatabase();
                }
            });
        }
    }

    /** Brings the bridges to what the database says, and writes the outcome back. */
    private void applyDatabase() {
        final Map<String, Map<String, JsonElement>> interfaceColumns = new LinkedHashMap<>();
        final Set<String> configured = new LinkedHashSet<>();
        final Map<String, String> ids = new HashMap<>();
        database.table("Bridge").forEach((uuid, row) -> {
            final var name = Database.text(row.get("name"));
            configured.add(name);
            final var bridge = bridge(name, row);
            ids.put(uuid, "%016x".formatted(bridge.datapathId()));
            applyDatabase(bridge, row, interfaceColumns);
            final Set<String> targets = new LinkedHashSet<>();
            rows("Bridge", row, "controller").forEach((id, controller) ->
                targets.add(Database.text(Database.value("Controller", controller, "target"))));
            bridge.controllers(targets);
        });
        bridges.entrySet().removeIf(entry -> {
            if (!configured.contains(entry.getKey())) {
                entry.getValue().controllers(Set.of());
                return true;
            }
            return false;
        });
        write(transaction -> {
            interfaceColumns.forEach((uuid, columns) -> transaction.set("Interface", uuid, columns));
            ids.forEach((uuid, id) -> transaction.set("Bridge", uuid, Map.of("datapath_id", Json.text(id))));
            transaction.set(Schema.SYSTEM, database.system(), Map.of("cur_cfg", Database.value(Schema.SYSTEM,
                database.table(Schema.SYSTEM).get(database.system()), "next_cfg")));
        });
    }

    private SimSwitch bridge(final String name, final JsonObject row) {
        final var config = Json.texts(Database.value("Bridge", row, "other_config"));
        final long datapathId = Long.parseUnsignedLong(config.getOrDefault("datapath-id", "0"), 16);
        final var existing = bridges.get(name);
        if (existing != null && existing.datapathId() == datapathId) {
            existing.serial(config.getOrDefault("dp-sn", "None"));
            return existing;
        }
        if (existing != null) {
            existing.controllers(Set.of());
        }
        final var created = new SimSwitch(loop, name, datapathId, new SimSwitch.Environment() {
            @Override
            public void sent(final String port, final byte[] frame) {
                environment.sent(SimNode.this, port, frame);
            }

            @Override
            public void connected(final String target, final boolean is) {
                SimNode.this.connected(name, target, is);
            }
        });
        created.serial(config.getOrDefault("dp-sn", "None"));
        bridges.put(name, created);
        return created;
    }

    private void connected(final String bridge, final String target, final boolean is) {
        write(transaction -> database.table("Bridge").values().stream()
            .filter(row -> Database.text(row.get("name")).equals(bridge))
            .forEach(row -> rows("Bridge", row, "controller").forEach((uuid, controller) -> {
                if (Database.text(Database.value("Controller", controller, "target")).equals(target)) {
                    transaction.set("Controller", uuid, Map.of("is_connected", new JsonPrimitive(is)));
                }
            })));
    }

    private void applyDatabase(final SimSwitch bridge, final JsonObject row,
            final Map<String, Map<String, JsonElement>> interfaceColumns) {
        final Map<String, Map.Entry<String, JsonObject>> configured = new LinkedHashMap<>();
        rows("Bridge", row, "ports").forEach((portUuid, port) -> configured.putAll(interfaces(port)));
        List.copyOf(bridge.ports()).stream().filter(port -> {
            final var entry = configured.get(port.name);
            return entry == null || !bridge.name().equals(port.name) && requestedNumber(entry.getValue())
                .filter(number -> number != port.number).isPresent();
        }).forEach(bridge::remove);
        configured.forEach((name, entry) -> interfaceColumns.put(entry.getKey(),
            applyDatabase(bridge, name, entry.getValue())));
    }

    /** Creates or finds the port of an interface; returns the columns that report the outcome. */
    private Map<String, JsonElement> applyDatabase(final SimSwitch bridge, final String name, final JsonObject row) {
        final var type = Database.text(Database.value("Interface", row, "type"));
        final boolean local = name.equals(bridge.name());
        final Optional<Boolean> carrier = type.isEmpty() || type.equals("system") ? environment.carrier(this, name)
            : type.equals(DAQRING) && !knowsRings ? Optional.empty() : Optional.of(true);
        if (carrier.isEmpty()) {
            return Map.of("ofport", new JsonPrimitive(-1), "error", Json.text("could not open network device " + name
                + (type.isEmpty() ? " (No such device)" : " (Address family not supported by protocol)")));
        }
        final var port = bridge.port(name).orElseGet(() -> {
            final int number = local ? OpenFlow.PORT_LOCAL
                : requestedNumber(row).filter(wish -> !bridge.hasPort(wish)).orElseGet(() -> freeNumber(bridge));
            final var created = new Port(number, name,
                0x02_00_00_00_00_00L | bridge.datapathId() << 16 & 0xff_ff_00_00_00L
                | number & 0xffffff, type.equals(DAQRING), carrier.orElseThrow());
            bridge.add(created);
            return created;
        });
        return Map.of("ofport", new JsonPrimitive(local ? 65534 : port.number), "error", Json.EMPTY_SET,
            "admin_state", Json.text("up"), "link_state", Json.text(port.hasCarrier() ? "up" : "down"),
            "statistics", STATISTICS);
    }

    private static JsonElement zeros() {
        final Map<JsonElement, JsonElement> zeros = new LinkedHashMap<>();
        COUNTERS.forEach(name -> zeros.put(Json.text(name), new JsonPrimitive(0)));
        return Json.map(zeros);
    }

    private static int freeNumber(final SimSwitch bridge) {
        int number = 1;
        while (bridge.hasPort(number)) {
            number++;
        }
        return number;
    }

    private static Optional<Integer> requestedNumber(final JsonObject row) {
        return Json.elements(Database.value("Interface", row, "ofport_request")).stream().map(JsonElement::getAsInt)
            .findFirst();
    }

    /** Uuid and row of the interfaces of a port, by name. */
    private Map<String, Map.Entry<String, JsonObject>> interfaces(final JsonObject port) {
        final Map<String, Map.Entry<String, JsonObject>> all = new LinkedHashMap<>();
        rows("Port", port, "interfaces").forEach((uuid, row) -> all.put(Database.text(row.get("name")),
            Map.entry(uuid, row)));
        return all;
    }

    private Map<String, JsonObject> rows(final String table, final JsonObject row, final String column) {
        final Map<String, JsonObject> rows = new LinkedHashMap<>();
        for (var each : Json.elements(Database.value(table, row, column))) {
            final var uuid = Json.uuidOf(each);
            rows.put(uuid, database.table(Schema.referencedTable(column)).get(uuid));
        }
        return rows;
    }
}
