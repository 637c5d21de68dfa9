package org.daqfabric.it.sim;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.daqfabric.it.sim.Database.Change;
import org.daqfabric.it.sim.Database.Changes;

/** The operations of one transaction (RFC 7047, section 5.2). Rows are exchanged, not changed, so that it can be undone. */
final class Transaction {
    private final Map<String, Map<String, JsonObject>> tables;
    private final Map<String, Map<String, JsonObject>> before = new HashMap<>();
    private final Map<String, String> named = new HashMap<>();

    /** Why a transaction is not done. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String error;

        Failure(final String error, final String details) {
            super(details);
            this.error = error;
        }

        JsonObject json() {
            final var json = new JsonObject();
            json.addProperty("error", error);
            json.addProperty("details", getMessage());
            return json;
        }
    }

    Transaction(final Map<String, Map<String, JsonObject>> tables) {
        this.tables = tables;
    }

    JsonObject apply(final JsonObject operation) {
        final var kind = operation.get("op").getAsString();
        final var result = new JsonObject();
        switch (kind) {
            case "comment", "commit" -> {
                // nothing to be done
            }
            case "abort" -> throw new Failure("aborted", "aborted by request");
            case "insert" -> result.add("uuid", Json.uuid(insert(operation)));
            case "select" -> result.add("rows", select(operation));
            case "update" -> result.addProperty("count", change(operation, row -> update(operation, row)));
            case "mutate" -> result.addProperty("count", change(operation, row -> mutate(operation, row)));
            case "delete" -> result.addProperty("count", change(operation, row -> null));
            case "wait" -> await(operation);
            default -> throw new Failure("unknown operation", "No operation " + kind + ".");
        }
        return result;
    }

    /** Sets columns of a row; those that hold that already stay. */
    void set(final String table, final String uuid, final Map<String, JsonElement> columns) {
        final var row = tables.get(table).get(uuid);
        final var copy = copy(row);
        columns.forEach(copy::add);
        if (!copy.equals(row)) {
            put(table, uuid, copy);
        }
    }

    /** Puts a row in place of another; null for none. */
    void put(final String table, final String uuid, final JsonObject row) {
        final var rows = tables.get(table);
        before.computeIfAbsent(table, unused -> new LinkedHashMap<>()).putIfAbsent(uuid, rows.get(uuid));
        if (row == null) {
            rows.remove(uuid);
        } else {
            rows.put(uuid, row);
        }
    }

    void undo() {
        before.forEach((table, rows) -> rows.forEach((uuid, row) -> {
            if (row == null) {
                tables.get(table).remove(uuid);
            } else {
                tables.get(table).put(uuid, row);
            }
        }));
    }

    boolean changed(final String table) {
        return before.containsKey(table);
    }

    boolean changedReferences() {
        return before.entrySet().stream().anyMatch(table -> table.getValue().entrySet().stream().anyMatch(row -> {
            final var after = tables.get(table.getKey()).get(row.getKey());
            return row.getValue() == null || after == null || Schema.references(table.getKey()).stream().anyMatch(column ->
                !Database.value(table.getKey(), row.getValue(), column)
                    .equals(Database.value(table.getKey(), after, column)));
        }));
    }

    Changes changes() {
        final Map<String, Map<String, Change>> changes = new LinkedHashMap<>();
        before.forEach((table, rows) -> rows.forEach((uuid, old) -> {
            final var after = tables.get(table).get(uuid);
            if (old != after && (old == null || !old.equals(after))) {
                changes.computeIfAbsent(table, unused -> new LinkedHashMap<>()).put(uuid, new Change(old, after));
            }
        }));
        return new Changes(changes);
    }

    private String insert(final JsonObject operation) {
        final var uuid = named(operation.has("uuid-name") ? operation.get("uuid-name").getAsString() : "");
        final var row = new JsonObject();
        final var table = table(operation);
        operation.getAsJsonObject("row").entrySet().forEach(column -> set(table, row, column.getKey(), column.getValue()));
        put(table, uuid, row);
        return uuid;
    }

    /** The uuid of a row that this transaction inserts under a name, before or after it is asked for. */
    private String named(final String name) {
        return name.isEmpty() ? UUID.randomUUID().toString()
            : named.computeIfAbsent(name, unused -> UUID.randomUUID().toString());
    }

    private JsonArray select(final JsonObject operation) {
        final var table = table(operation);
        final var columns = operation.has("columns")
            ? operation.getAsJsonArray("columns").asList().stream().map(JsonElement::getAsString).toList()
            : List.copyOf(Schema.columns(table).keySet());
        final var rows = new JsonArray();
        for (var uuid : where(operation)) {
            final var row = new JsonObject();
            columns.forEach(column -> row.add(column, column.equals("_uuid") ? Json.uuid(uuid)
                : Database.value(table, tables.get(table).get(uuid), column)));
            rows.add(row);
        }
        return rows;
    }

    private interface Edit {
        JsonObject of(JsonObject row);
    }

    private int change(final JsonObject operation, final Edit edit) {
        final var table = table(operation);
        final var chosen = where(operation);
        chosen.forEach(uuid -> put(table, uuid, edit.of(tables.get(table).get(uuid))));
        return chosen.size();
    }

    private JsonObject update(final JsonObject operation, final JsonObject row) {
        final var copy = copy(row);
        operation.getAsJsonObject("row").entrySet().forEach(column ->
            set(table(operation), copy, column.getKey(), column.getValue()));
        return copy;
    }

    private JsonObject mutate(final JsonObject operation, final JsonObject row) {
        final var table = table(operation);
        final var copy = copy(row);
        for (var each : operation.getAsJsonArray("mutations")) {
            final var mutation = each.getAsJsonArray();
            final var column = mutation.get(0).getAsString();
            final var held = Database.value(table, copy, column);
            final var given = resolve(mutation.get(2));
            copy.add(column, switch (mutation.get(1).getAsString()) {
                case "+=" -> new JsonPrimitive(held.getAsLong() + given.getAsLong());
                case "-=" -> new JsonPrimitive(held.getAsLong() - given.getAsLong());
                case "insert" -> inserted(held, given);
                case "delete" -> deleted(held, given);
                default -> throw new Failure("unknown mutator", "No mutator " + mutation.get(1) + ".");
            });
        }
        return copy;
    }

    private static JsonElement inserted(final JsonElement held, final JsonElement given) {
        if (Json.isMap(held)) {
            // a key that is there keeps its value
            final var entries = Json.entries(held);
            Json.entries(given).forEach(entries::putIfAbsent);
            return Json.map(entries);
        }
        final var elements = new LinkedHashSet<>(Json.elements(held));
        elements.addAll(Json.elements(given));
        return Json.set(elements);
    }

    private static JsonElement deleted(final JsonElement held, final JsonElement given) {
        if (Json.isMap(held)) {
            final var entries = Json.entries(held);
            if (Json.isMap(given)) {
                entries.entrySet().removeAll(Json.entries(given).entrySet());
            } else {
                entries.keySet().removeAll(new HashSet<>(Json.elements(given)));
            }
            return Json.map(entries);
        }
        final var elements = new LinkedHashSet<>(Json.elements(held));
        elements.removeAll(new HashSet<>(Json.elements(given)));
        return Json.set(elements);
    }

    /** Waits for nothing: what is not so now will not be so. */
    private void await(final JsonObject operation) {
        final var table = table(operation);
        final var columns = operation.getAsJsonArray("columns").asList().stream().map(JsonElement::getAsString).toList();
        final Set<List<JsonElement>> found = new HashSet<>();
        where(operation).forEach(uuid -> found.add(columns.stream().map(column ->
            Database.value(table, tables.get(table).get(uuid), column)).toList()));
        final Set<List<JsonElement>> expected = new HashSet<>();
        operation.getAsJsonArray("rows").forEach(row -> expected.add(columns.stream().map(column ->
            Database.value(table, row.getAsJsonObject(), column)).toList()));
        if (found.equals(expected) != operation.get("until").getAsString().equals("==")) {
            throw new Failure("timed out", "\"wait\" timed out");
        }
    }

    private List<String> where(final JsonObject operation) {
        final var table = table(operation);
        final List<String> chosen = new ArrayList<>();
        final var conditions = operation.getAsJsonArray("where");
        candidates(table, conditions).forEach((uuid, row) -> {
            for (var each : conditions) {
                final var condition = each.getAsJsonArray();
                final var column = condition.get(0).getAsString();
                if (!meets(column.equals("_uuid") ? Json.uuid(uuid) : Database.value(table, row, column),
                        condition.get(1).getAsString(), resolve(condition.get(2)))) {
                    return;
                }
            }
            chosen.add(uuid);
        });
        return chosen;
    }

    /** The one row that is asked for by its uuid, or all: tables have a thousand rows, and transactions name many. */
    private Map<String, JsonObject> candidates(final String table, final JsonArray conditions) {
        for (var each : conditions) {
            final var condition = each.getAsJsonArray();
            if (condition.get(0).getAsString().equals("_uuid") && condition.get(1).getAsString().equals("==")) {
                final var uuid = Json.uuidOf(resolve(condition.get(2)));
                final var row = tables.get(table).get(uuid);
                return row == null ? Map.of() : Map.of(uuid, row);
            }
        }
        return tables.get(table);
    }

    private static boolean meets(final JsonElement held, final String function, final JsonElement given) {
        return switch (function) {
            case "==" -> same(held, given);
            case "!=" -> !same(held, given);
            case "includes" -> Json.isMap(held) ? Json.entries(held).entrySet().containsAll(Json.entries(given).entrySet())
                : new HashSet<>(Json.elements(held)).containsAll(Json.elements(given));
            case "excludes" -> Json.isMap(held)
                ? Json.entries(given).entrySet().stream().noneMatch(Json.entries(held).entrySet()::contains)
                : Json.elements(given).stream().noneMatch(Json.elements(held)::contains);
            default -> throw new Failure("unknown function", "No function " + function + ".");
        };
    }

    private static boolean same(final JsonElement left, final JsonElement right) {
        return Json.isMap(left) ? Json.entries(left).equals(Json.entries(right))
            : new HashSet<>(Json.elements(left)).equals(new HashSet<>(Json.elements(right)));
    }

    private void set(final String table, final JsonObject row, final String column, final JsonElement value) {
        Database.value(table, row, column);
        final var resolved = resolve(value);
        row.add(column, Json.isTagged(resolved, "set") ? Json.set(Json.elements(resolved)) : resolved);
    }

    /** With the uuids of rows that it knows by name. */
    private JsonElement resolve(final JsonElement value) {
        if (!value.isJsonArray()) {
            return value;
        }
        if (Json.isTagged(value, "named-uuid")) {
            return Json.uuid(named(Json.uuidOf(value)));
        }
        final var resolved = new JsonArray();
        value.getAsJsonArray().forEach(each -> resolved.add(resolve(each)));
        return resolved;
    }

    private static String table(final JsonObject operation) {
        final var table = operation.get("table").getAsString();
        if (!Schema.has(table)) {
            throw new Failure("unknown table", "No table named " + table + ".");
        }
        return table;
    }

    /** A row of its own with the same values, which nobody changes. */
    private static JsonObject copy(final JsonObject row) {
        final var copy = new JsonObject();
        row.entrySet().forEach(column -> copy.add(column.getKey(), column.getValue()));
        return copy;
    }
}
