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

/**
 * The operations of one transaction (RFC 7047, section 5.2). Rows are replaced, never modified, so that it can be
 * undone.
 */
final class Transaction {
    private final Map<String, Map<String, JsonObject>> tables;
    private final Map<String, Map<String, JsonObject>> before = new HashMap<>();
    private final Map<String, String> uuidOfName = new HashMap<>();

    /** The error that ends a transaction. */
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
                // no effect
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

    /** Sets columns of a row, if any value differs. */
    void set(final String table, final String uuid, final Map<String, JsonElement> columns) {
        final var row = tables.get(table).get(uuid);
        final var copy = copy(row);
        columns.forEach(copy::add);
        if (!copy.equals(row)) {
            put(table, uuid, copy);
        }
    }

    /** Replaces a row, or removes it if the new one is null. */
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
            return row.getValue() == null || after == null
                || Schema.references(table.getKey()).stream().anyMatch(column ->
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
        final var uuid = uuidOfName(operation.has("uuid-name") ? operation.get("uuid-name").getAsString() : "");
        final var row = new JsonObject();
        final var table = table(operation);
        operation.getAsJsonObject("row").entrySet()
            .forEach(column -> set(table, row, column.getKey(), column.getValue()));
        put(table, uuid, row);
        return uuid;
    }

    /** The uuid of a row that this transaction inserts under a name, already or later; a new one without a name. */
    private String uuidOfName(final String name) {
        return name.isEmpty() ? UUID.randomUUID().toString()
            : uuidOfName.computeIfAbsent(name, unused -> UUID.randomUUID().toString());
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
        final var selected = where(operation);
        selected.forEach(uuid -> put(table, uuid, edit.of(tables.get(table).get(uuid))));
        return selected.size();
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
            final var current = Database.value(table, copy, column);
            final var operand = resolve(mutation.get(2));
            copy.add(column, switch (mutation.get(1).getAsString()) {
                case "+=" -> new JsonPrimitive(current.getAsLong() + operand.getAsLong());
                case "-=" -> new JsonPrimitive(current.getAsLong() - operand.getAsLong());
                case "insert" -> inserted(current, operand);
                case "delete" -> deleted(current, operand);
                default -> throw new Failure("unknown mutator", "No mutator " + mutation.get(1) + ".");
            });
        }
        return copy;
    }

    private static JsonElement inserted(final JsonElement current, final JsonElement operand) {
        if (Json.isMap(current)) {
            // an existing key keeps its value
            final var entries = Json.entries(current);
            Json.entries(operand).forEach(entries::putIfAbsent);
            return Json.map(entries);
        }
        final var elements = new LinkedHashSet<>(Json.elements(current));
        elements.addAll(Json.elements(operand));
        return Json.set(elements);
    }

    private static JsonElement deleted(final JsonElement current, final JsonElement operand) {
        if (Json.isMap(current)) {
            final var entries = Json.entries(current);
            if (Json.isMap(operand)) {
                entries.entrySet().removeAll(Json.entries(operand).entrySet());
            } else {
                entries.keySet().removeAll(new HashSet<>(Json.elements(operand)));
            }
            return Json.map(entries);
        }
        final var elements = new LinkedHashSet<>(Json.elements(current));
        elements.removeAll(new HashSet<>(Json.elements(operand)));
        return Json.set(elements);
    }

    /** Never waits: a condition that is not met now fails the transaction. */
    private void await(final JsonObject operation) {
        final var table = table(operation);
        final var columns = operation.getAsJsonArray("columns").asList().stream().map(JsonElement::getAsString)
            .toList();
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
        final List<String> selected = new ArrayList<>();
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
            selected.add(uuid);
        });
        return selected;
    }

    /** The row selected by its uuid, or all rows: searching thousands for each of many operations would be slow. */
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

    private static boolean meets(final JsonElement current, final String function, final JsonElement operand) {
        return switch (function) {
            case "==" -> isSame(current, operand);
            case "!=" -> !isSame(current, operand);
            case "includes" -> Json.isMap(current)
                ? Json.entries(current).entrySet().containsAll(Json.entries(operand).entrySet())
                : new HashSet<>(Json.elements(current)).containsAll(Json.elements(operand));
            case "excludes" -> Json.isMap(current)
                ? Json.entries(operand).entrySet().stream().noneMatch(Json.entries(current).entrySet()::contains)
                : Json.elements(operand).stream().noneMatch(Json.elements(current)::contains);
            default -> throw new Failure("unknown function", "No function " + function + ".");
        };
    }

    private static boolean isSame(final JsonElement left, final JsonElement right) {
        return Json.isMap(left) ? Json.entries(left).equals(Json.entries(right))
            : new HashSet<>(Json.elements(left)).equals(new HashSet<>(Json.elements(right)));
    }

    private void set(final String table, final JsonObject row, final String column, final JsonElement value) {
        Database.value(table, row, column);
        final var resolved = resolve(value);
        row.add(column, Json.isTagged(resolved, "set") ? Json.set(Json.elements(resolved)) : resolved);
    }

    /** Replaces named-uuids by uuids. */
    private JsonElement resolve(final JsonElement value) {
        if (!value.isJsonArray()) {
            return value;
        }
        if (Json.isTagged(value, "named-uuid")) {
            return Json.uuid(uuidOfName(Json.uuidOf(value)));
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

    /** A shallow copy: values are never modified. */
    private static JsonObject copy(final JsonObject row) {
        final var copy = new JsonObject();
        row.entrySet().forEach(column -> copy.add(column.getKey(), column.getValue()));
        return copy;
    }
}
