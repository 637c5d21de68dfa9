package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Map;

/**
 * A column of Open vSwitch's database, or one key of a map, and what daqfabric does about it.
 *
 * @param key of a map; empty for the whole column
 * @param form what the column holds by default, which it is put back to
 * @param effect what a value does to packets, or why the column is left alone
 * @param remedy the command that puts a reported column back, with BRIDGE, PORT and NODE for names; else empty
 */
record ForwardingColumn(String table, String column, String key, Handling handling, Form form, String effect,
        String remedy) {
    /** What daqfabric does about a value that it did not set. */
    enum Handling {
        /** It is ours: it is set to what it must be immediately. */
        PUT_RIGHT("put right"),
        /** It may be the site's: it is reported by name. */
        REPORTED("reported"),
        LEFT("left alone");

        private final String words;

        Handling(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /** What a column holds by default. */
    enum Form {
        /** Nothing: a set, or a column that may be absent. */
        EMPTY, FLAG, NUMBER,
        /** A map, of which the key must be absent. */
        KEY, MAP,
        /** A key whose values "false" and "0" are as good as none. */
        SWITCH,
        /** What the fabric or daqfabric has for it: {@link BridgeDiff} knows. */
        CONFIGURED
    }

    /** The name as ovs-vsctl takes it. */
    String name() {
        return key.isEmpty() ? column : column + ":" + key;
    }

    /** Whether the column must be monitored for its own sake, as its value is compared with the default. */
    boolean isCompared() {
        return handling != Handling.LEFT && form != Form.CONFIGURED;
    }

    /** The value in words if it is not the default; empty if it is. */
    String deviation(JsonObject row) {
        JsonElement value = row.get(column);
        if (value == null) {
            return "";
        }
        return switch (form) {
            case KEY -> OvsdbValues.map(row, column).getOrDefault(key, "");
            case SWITCH -> switchedOn(OvsdbValues.map(row, column));
            case FLAG -> value.equals(new JsonPrimitive(false)) ? "" : "true";
            case NUMBER -> OvsdbValues.integer(row, column).orElse(0) == 0 ? "" : shown(value);
            case EMPTY, MAP -> isEmpty(value) ? "" : shown(value);
            case CONFIGURED -> "";
        };
    }

    /** The value of a switch; empty if it is off. */
    String switchedOn(Map<String, String> map) {
        String value = map.getOrDefault(key, "");
        return value.equals("false") || value.equals("0") ? "" : value;
    }

    /** The default, in the database's words. */
    JsonElement standard() {
        return switch (form) {
            case FLAG -> new JsonPrimitive(false);
            case NUMBER -> new JsonPrimitive(0);
            case MAP -> OvsdbValues.map(Map.of());
            case EMPTY, KEY, SWITCH, CONFIGURED -> OvsdbValues.set(List.of());
        };
    }

    /** A set or map without elements. */
    private static boolean isEmpty(JsonElement value) {
        return value instanceof JsonArray array && array.size() == 2 && array.get(1) instanceof JsonArray elements
            && elements.isEmpty();
    }

    private static String shown(JsonElement value) {
        return value.isJsonPrimitive() ? OvsdbValues.shown(value) : "set";
    }
}
