package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The part of ovsdb-server that the driver uses: insert, update, mutate, wait and select; named rows; unique names;
 * removal of rows that nothing refers to. Transactions are atomic.
 */
final class MemoryDatabase {
    private static final List<String> TABLES =
        List.of("Open_vSwitch", "Manager", "Controller", "Bridge", "Port", "Interface", "Mirror");
    private static final Map<String, List<String>> REFERENCES = Map.of("Open_vSwitch",
        List.of("bridges", "manager_options"), "Bridge", List.of("ports", "controller", "mirrors"), "Port",
        List.of("interfaces"));

    private Map<String, Map<String, JsonObject>> tables = new TreeMap<>();
    private int lastUuid;

    /** A transaction's failure. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refused(String error) {
            super(error);
        }
    }

    MemoryDatabase(String systemId) {
        TABLES.forEach(table -> tables.put(table, new TreeMap<>()));
        JsonObject system = new JsonObject();
        system.addProperty("next_cfg", 0);
        system.addProperty("cur_cfg", 0);
        system.add("external_ids", OvsdbValues.map(Map.of("system-id", systemId)));
        tables.get("Open_vSwitch").put(newUuid(), system);
    }

    String systemUuid() {
        return tables.get("Open_vSwitch").keySet().iterator().next();
    }

    Map<String, JsonObject> table(String name) {
        return tables.get(name);
    }

    OvsdbSnapshot snapshot() {
        return OvsdbSnapshot.EMPTY.apply(tableUpdates(Map.of()));
    }

    /** The content of an {@code update}: the differences from the rows before. */
    JsonObject tableUpdates(Map<String, Map<String, JsonObject>> before) {
        JsonObject updates = new JsonObject();
        for (String table : TABLES) {
            JsonObject rows = new JsonObject();
            Map<String, JsonObject> old = before.getOrDefault(table, Map.of());
            tables.get(table).forEach((uuid, row) -> {
                if (!row.equals(old.get(uuid))) {
                    JsonObject change = new JsonObject();
                    change.add("new", row);
                    rows.add(uuid, change);
                }
            });
            old.forEach((uuid, row) -> {
                if (!tables.get(table).containsKey(uuid)) {
                    JsonObject change = new JsonObject();
                    change.add("old", row);
                    rows.add(uuid, change);
                }
            });
            if (!rows.isEmpty()) {
                updates.add(table, rows);
            }
        }
        return updates;
    }

    Map<String, Map<String, JsonObject>> copy() {
        Map<String, Map<String, JsonObject>> copy = new TreeMap<>();
        tables.forEach((table, rows) -> {
            Map<String, JsonObject> copied = new TreeMap<>();
            rows.forEach((uuid, row) -> copied.put(uuid, row.deepCopy()));
            copy.put(table, copied);
        });
        return copy;
    }

    /** Runs operations, all or none, and returns their results. */
    JsonArray transact(List<JsonObject> operations) {
        Map<String, Map<String, JsonObject>> before = copy();
        try {
            Map<String, String> named = new HashMap<>();
            operations.stream().filter(operation -> operation.has("uuid-name"))
                .forEach(operation -> named.put(operation.get("uuid-name").getAsString(), newUuid()));
            JsonArray results = new JsonArray();
            operations.forEach(operation -> results.add(run(operation, named)));
            collect();
            check();
            return results;
        } catch (Refused e) {
            tables = before;
            throw e;
        }
    }

    private JsonObject run(JsonObject operation, Map<String, String> named) {
        String table = operation.get("table").getAsString();
        JsonObject result = new JsonObject();
        if ("insert".equals(operation.get("op").getAsString())) {
            JsonObject row = resolve(operation.get("row"), named).getAsJsonObject();
            tables.get(table).put(named.get(operation.get("uuid-name").getAsString()), row);
            return result;
        }
        List<JsonObject> rows = where(table, operation.getAsJsonArray("where"));
        switch (operation.get("op").getAsString()) {
            case "update" -> rows.forEach(row -> resolve(operation.get("row"), named).getAsJsonObject().entrySet()
                .forEach(column -> row.add(column.getKey(), column.getValue())));
            case "mutate" -> rows.forEach(row -> resolve(operation.get("mutations"), named).getAsJsonArray()
                .forEach(mutation -> mutate(row, mutation.getAsJsonArray())));
            case "wait" -> {
                if (rows.size() != 1 || !rows.get(0).get("name")
                        .equals(operation.getAsJsonArray("rows").get(0).getAsJsonObject().get("name"))) {
                    throw new Refused("timed out");
                }
            }
            case "select" -> {
                JsonArray selected = new JsonArray();
                rows.forEach(selected::add);
                result.add("rows", selected);
            }
            default -> throw new Refused("unknown operation");
        }
        return result;
    }

    private List<JsonObject> where(String table, JsonArray conditions) {
        List<JsonObject> found = new ArrayList<>();
        tables.get(table).forEach((uuid, row) -> {
            boolean matches = true;
            for (JsonElement condition : conditions) {
                JsonArray parts = condition.getAsJsonArray();
                if ("_uuid".equals(parts.get(0).getAsString())) {
                    matches &= uuid.equals(OvsdbValues.uuidOf(parts.get(2)));
                } else {
                    JsonObject expected = new JsonObject();
                    expected.add("map", parts.get(2));
                    matches &= OvsdbValues.map(row, parts.get(0).getAsString()).entrySet()
                        .containsAll(OvsdbValues.map(expected, "map").entrySet());
                }
            }
            if (matches) {
                found.add(row);
            }
        });
        return found;
    }

    private static void mutate(JsonObject row, JsonArray mutation) {
        String column = mutation.get(0).getAsString();
        JsonElement value = mutation.get(2);
        boolean insert = "insert".equals(mutation.get(1).getAsString());
        if ("+=".equals(mutation.get(1).getAsString())) {
            row.addProperty(column, row.get(column).getAsLong() + value.getAsLong());
        } else if (column.endsWith("_ids") || column.endsWith("_config") || column.equals("lldp")) {
            Map<String, String> map = new TreeMap<>(OvsdbValues.map(row, column));
            JsonObject wrapped = new JsonObject();
            wrapped.add("v", value);
            if (insert) {
                OvsdbValues.map(wrapped, "v").forEach(map::putIfAbsent);
            } else {
                map.keySet().removeAll(OvsdbValues.strings(wrapped, "v"));
            }
            row.add(column, OvsdbValues.map(map));
        } else {
            JsonObject wrapped = new JsonObject();
            wrapped.add("v", value);
            Set<String> uuids = new HashSet<>(OvsdbValues.uuids(row, column));
            if (insert) {
                uuids.addAll(OvsdbValues.uuids(wrapped, "v"));
            } else {
                uuids.removeAll(OvsdbValues.uuids(wrapped, "v"));
            }
            row.add(column, OvsdbValues.set(uuids.stream().map(OvsdbValues::uuid).toList()));
        }
    }

    private static JsonElement resolve(JsonElement value, Map<String, String> named) {
        if (value.isJsonArray()) {
            JsonArray array = value.getAsJsonArray();
            if (array.size() == 2 && array.get(0).equals(new JsonPrimitive("named-uuid"))) {
                return OvsdbValues.uuid(named.get(array.get(1).getAsString()));
            }
            JsonArray resolved = new JsonArray();
            array.forEach(element -> resolved.add(resolve(element, named)));
            return resolved;
        }
        if (value.isJsonObject()) {
            JsonObject resolved = new JsonObject();
            value.getAsJsonObject().entrySet().forEach(e -> resolved.add(e.getKey(), resolve(e.getValue(), named)));
            return resolved;
        }
        return value;
    }

    private void collect() {
        Set<String> referred = new HashSet<>(tables.get("Open_vSwitch").keySet());
        for (String table : List.of("Open_vSwitch", "Bridge", "Port")) {
            tables.get(table).forEach((uuid, row) -> {
                if (referred.contains(uuid)) {
                    REFERENCES.get(table).forEach(column -> referred.addAll(OvsdbValues.uuids(row, column)));
                }
            });
        }
        tables.values().forEach(rows -> rows.keySet().retainAll(referred));
    }

    private void check() {
        for (String table : List.of("Bridge", "Port", "Interface")) {
            Set<String> names = new HashSet<>();
            tables.get(table).values().forEach(row -> {
                if (!names.add(row.get("name").getAsString())) {
                    throw new Refused("constraint violation: name " + row.get("name") + " twice in " + table);
                }
            });
        }
        Set<String> held = new HashSet<>();
        tables.get("Bridge").values().forEach(row -> OvsdbValues.uuids(row, "ports").forEach(uuid -> {
            if (!held.add(uuid)) {
                throw new Refused("port in two bridges");
            }
        }));
    }

    private String newUuid() {
        return "%08d-0000-4000-8000-000000000000".formatted(++lastUuid);
    }
}
