package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.impl.ovsdb.ForwardingColumn.Handling;

/** The changes of one row: columns that are set, and parts of sets and maps that are added or taken out. */
final class RowChanges {
    private final JsonObject columns = new JsonObject();
    private final JsonArray mutations = new JsonArray();
    private final String table;
    private final String uuid;

    RowChanges(String table, String uuid) {
        this.table = table;
        this.uuid = uuid;
    }

    JsonObject columns() {
        return columns;
    }

    /** Inserts references into a set and deletes others. */
    void references(String column, List<JsonElement> added, Collection<String> removed) {
        if (!removed.isEmpty()) {
            mutations.add(OvsdbValues.array(column, "delete",
                OvsdbValues.set(removed.stream().map(OvsdbValues::uuid).toList())));
        }
        if (!added.isEmpty()) {
            mutations.add(OvsdbValues.array(column, "insert", OvsdbValues.set(added)));
        }
    }

    /** Sets entries of a map; other entries are kept. */
    void entries(String column, Map<String, String> existing, Map<String, String> desired) {
        if (existing.entrySet().containsAll(desired.entrySet())) {
            return;
        }
        SortedMap<String, String> missing = new TreeMap<>(desired);
        missing.entrySet().removeIf(entry -> entry.getValue().equals(existing.get(entry.getKey())));
        // "insert" does not replace the value of an existing key
        missing.keySet().stream().filter(existing::containsKey).forEach(key -> remove(column, key));
        mutations.add(OvsdbValues.array(column, "insert", OvsdbValues.map(missing)));
    }

    /** Takes an entry out of a map. */
    void remove(String column, String key) {
        mutations.add(OvsdbValues.array(column, "delete", OvsdbValues.set(List.of(new JsonPrimitive(key)))));
    }

    /** Sets a column, if it has another value. */
    void column(String name, JsonElement value, boolean has) {
        if (!has) {
            columns.add(name, value);
        }
    }

    /**
     * Puts back to their defaults the columns that are ours.
     *
     * @param deviations of the row
     * @param subject what the row is, in words
     * @return what was found, in words
     */
    List<String> putRight(SortedMap<String, String> deviations, String subject) {
        return ForwardingColumns.handled(table, deviations, Handling.PUT_RIGHT).stream().map(each -> {
            if (each.key().isEmpty()) {
                columns.add(each.column(), each.standard());
            } else {
                remove(each.column(), each.key());
            }
            return subject + " had " + each.name() + " " + deviations.get(each.name()) + " (" + each.effect()
                + "), which another tool or person has set: put right";
        }).toList();
    }

    void addTo(Operations operations) {
        operations.mutate(table, uuid, mutations);
        operations.update(table, uuid, columns);
    }
}
