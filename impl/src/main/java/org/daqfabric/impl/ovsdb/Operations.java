package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.jdt.annotation.Nullable;

/** The operations of one transaction, in order ({@code transact}, RFC 7047, section 5.2). */
final class Operations {
    private final List<JsonObject> list = new ArrayList<>();

    List<JsonObject> list() {
        return List.copyOf(list);
    }

    /** Inserts a row, which the same transaction can refer to by that name. */
    void insert(String table, String named, JsonObject row) {
        JsonObject operation = operation("insert", table);
        operation.addProperty("uuid-name", named);
        operation.add("row", row);
        list.add(operation);
    }

    /** Sets columns of a row; does nothing if there are none. */
    void update(String table, String uuid, JsonObject row) {
        if (!row.isEmpty()) {
            JsonObject operation = operation("update", table);
            operation.add("where", where(uuid));
            operation.add("row", row);
            list.add(operation);
        }
    }

    /** Changes parts of a row's sets and maps; does nothing if there are none. */
    void mutate(String table, String uuid, JsonArray mutations) {
        if (!mutations.isEmpty()) {
            JsonObject operation = operation("mutate", table);
            operation.add("where", where(uuid));
            operation.add("mutations", mutations);
            list.add(operation);
        }
    }

    /**
     * Puts a condition before the operations so far: the transaction fails unless the row exists under this name and
     * its map has the entry. Does nothing if there are no operations.
     *
     * @param column a map column
     * @param value null if the entry is not asked for
     */
    void expectFirst(String table, String uuid, String name, String column, String key,
            @Nullable String value) {
        if (list.isEmpty()) {
            return;
        }
        JsonObject operation = operation("wait", table);
        JsonArray where = where(uuid);
        if (value != null) {
            where.add(OvsdbValues.array(column, "includes", OvsdbValues.map(Map.of(key, value))));
        }
        operation.add("where", where);
        operation.add("columns", OvsdbValues.array("name"));
        operation.addProperty("until", "==");
        JsonObject row = new JsonObject();
        row.addProperty("name", name);
        operation.add("rows", array(row));
        operation.addProperty("timeout", 0);
        list.add(0, operation);
    }

    /** Increments {@code next_cfg}, which vswitchd copies to {@code cur_cfg} when done, and reads the new value. */
    void bump(String systemUuid) {
        mutate("Open_vSwitch", systemUuid, array(OvsdbValues.array("next_cfg", "+=", 1)));
        JsonObject select = operation("select", "Open_vSwitch");
        select.add("where", where(systemUuid));
        select.add("columns", OvsdbValues.array("next_cfg"));
        list.add(select);
    }

    private static JsonObject operation(String name, String table) {
        JsonObject operation = new JsonObject();
        operation.add("op", new JsonPrimitive(name));
        operation.addProperty("table", table);
        return operation;
    }

    private static JsonArray where(String uuid) {
        return array(OvsdbValues.array("_uuid", "==", OvsdbValues.uuid(uuid)));
    }

    private static JsonArray array(JsonElement only) {
        JsonArray array = new JsonArray(1);
        array.add(only);
        return array;
    }
}
