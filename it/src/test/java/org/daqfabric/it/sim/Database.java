package org.daqfabric.it.sim;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** The OVSDB rows of a node, changed in atomic transactions. */
final class Database {
    private final Map<String, Map<String, JsonObject>> tables = new HashMap<>();
    private final List<Consumer<Changes>> watchers = new ArrayList<>();
    private final String system = UUID.randomUUID().toString();

    /** A row before and after a change; null if it does not exist. */
    record Change(JsonObject before, JsonObject after) {
    }

    /** Changes by table and uuid of the row. */
    record Changes(Map<String, Map<String, Change>> tables) {
    }

    Database() {
        Schema.tables().forEach(table -> tables.put(table, new LinkedHashMap<>()));
        tables.get(Schema.SYSTEM).put(system, new JsonObject());
    }

    /** The uuid of the only row of table Open_vSwitch. */
    String system() {
        return system;
    }

    Map<String, JsonObject> table(final String name) {
        return Collections.unmodifiableMap(tables.get(name));
    }

    /** A column of a row; the initial value if it is not set. */
    static JsonElement value(final String table, final JsonObject row, final String column) {
        final var value = row.get(column);
        if (value != null) {
            return value;
        }
        final var kind = Schema.columns(table).get(column);
        if (kind == null) {
            throw new Transaction.Failure("unknown column", "No column " + column + " in table " + table + ".");
        }
        return Schema.initial(kind);
    }

    static String text(final JsonElement value) {
        final var elements = Json.elements(value);
        return elements.isEmpty() ? "" : elements.get(0).getAsString();
    }

    /** Registers a watcher, called after each transaction that changes something. */
    void watch(final Consumer<Changes> watcher) {
        watchers.add(watcher);
    }

    void unwatch(final Consumer<Changes> watcher) {
        watchers.remove(watcher);
    }

    /** Carries out the operations of a {@code transact} request and returns the result (RFC 7047, section 4.1.3). */
    JsonArray transact(final List<JsonElement> operations) {
        final var transaction = new Transaction(tables);
        final var results = new JsonArray();
        try {
            for (var each : operations) {
                results.add(transaction.apply(each.getAsJsonObject()));
            }
        } catch (Transaction.Failure e) {
            transaction.undo();
            results.add(e.json());
            while (results.size() < operations.size()) {
                results.add(JsonNull.INSTANCE);
            }
            return results;
        }
        try {
            finish(transaction);
        } catch (Transaction.Failure e) {
            transaction.undo();
            results.add(e.json());
        }
        return results;
    }

    /** Changes rows on behalf of the node itself. */
    void change(final Consumer<Transaction> edit) {
        final var transaction = new Transaction(tables);
        edit.accept(transaction);
        finish(transaction);
    }

    private void finish(final Transaction transaction) {
        removeUnreferenced(transaction);
        checkNames(transaction);
        final var changes = transaction.changes();
        if (!changes.tables().isEmpty()) {
            List.copyOf(watchers).forEach(watcher -> watcher.accept(changes));
        }
    }

    /** Removes rows that are no longer referenced. */
    private void removeUnreferenced(final Transaction transaction) {
        if (!transaction.changedReferences()) {
            return;
        }
        final Set<String> referenced = new HashSet<>();
        markReferenced(Schema.SYSTEM, system, referenced);
        tables.forEach((table, rows) -> rows.keySet().stream().filter(uuid -> !referenced.contains(uuid)).toList()
            .forEach(uuid -> transaction.put(table, uuid, null)));
    }

    private void markReferenced(final String table, final String uuid, final Set<String> referenced) {
        final var row = tables.get(table).get(uuid);
        if (row == null) {
            throw new Transaction.Failure("referential integrity violation", "Table " + table + " has no row " + uuid);
        }
        if (referenced.add(uuid)) {
            for (var column : Schema.references(table)) {
                for (var each : Json.elements(value(table, row, column))) {
                    markReferenced(Schema.referencedTable(column), Json.uuidOf(each), referenced);
                }
            }
        }
    }

    private void checkNames(final Transaction transaction) {
        for (var table : List.of("Bridge", "Port", "Interface")) {
            if (transaction.changed(table)) {
                final Set<String> names = new HashSet<>();
                for (var row : tables.get(table).values()) {
                    if (!names.add(text(value(table, row, "name")))) {
                        throw new Transaction.Failure("constraint violation", "Transaction causes multiple rows in \""
                            + table + "\" table to have identical values (" + row.get("name") + ") for index on column"
                            + " \"name\".");
                    }
                }
            }
        }
    }
}
