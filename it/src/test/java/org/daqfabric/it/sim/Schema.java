package org.daqfabric.it.sim;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tables and columns of Open_vSwitch that a controller uses. */
final class Schema {
    static final String SYSTEM = "Open_vSwitch";

    /** Type of a column. */
    enum Kind {
        TEXT, INTEGER, BOOLEAN, OPTIONAL_TEXT, OPTIONAL_INTEGER, TEXTS, MAP, NUMBERS, ROWS
    }

    private static final Map<String, Map<String, Kind>> TABLES = Map.of(
        SYSTEM, columns("bridges manager_options", Kind.ROWS, "next_cfg cur_cfg", Kind.INTEGER,
            "external_ids other_config", Kind.MAP, "ovs_version db_version system_type system_version",
            Kind.OPTIONAL_TEXT, "iface_types datapath_types", Kind.TEXTS, "dpdk_initialized", Kind.BOOLEAN,
            "dpdk_version", Kind.OPTIONAL_TEXT),
        "Manager", columns("target", Kind.TEXT, "is_connected", Kind.BOOLEAN, "status external_ids other_config",
        Kind.MAP,
            "inactivity_probe max_backoff", Kind.OPTIONAL_INTEGER, "connection_mode", Kind.OPTIONAL_TEXT),
        "Controller", columns("target", Kind.TEXT, "is_connected", Kind.BOOLEAN, "status external_ids other_config",
            Kind.MAP, "inactivity_probe max_backoff controller_rate_limit controller_burst_limit",
            Kind.OPTIONAL_INTEGER, "connection_mode role", Kind.OPTIONAL_TEXT),
        "Bridge", columns("name datapath_type", Kind.TEXT, "datapath_id fail_mode", Kind.OPTIONAL_TEXT, "protocols",
            Kind.TEXTS, "other_config external_ids status", Kind.MAP, "ports controller", Kind.ROWS, "stp_enable",
            Kind.BOOLEAN),
        "Port", columns("name", Kind.TEXT, "interfaces", Kind.ROWS, "external_ids other_config status", Kind.MAP, "tag",
            Kind.OPTIONAL_INTEGER),
        "Interface", columns("name type", Kind.TEXT,
            "options bfd bfd_status external_ids other_config status", Kind.MAP, "statistics", Kind.NUMBERS,
            "ofport ofport_request ifindex mtu mtu_request link_speed", Kind.OPTIONAL_INTEGER,
            "admin_state link_state duplex error mac mac_in_use", Kind.OPTIONAL_TEXT));
    private static final Map<String, String> REFERENCES = Map.of("bridges", "Bridge", "manager_options", "Manager",
        "ports", "Port", "controller", "Controller", "interfaces", "Interface");

    private Schema() {
    }

    private static Map<String, Kind> columns(final Object... parts) {
        final Map<String, Kind> columns = new TreeMap<>();
        for (int at = 0; at < parts.length; at += 2) {
            for (var name : ((String) parts[at]).split(" ")) {
                columns.put(name, (Kind) parts[at + 1]);
            }
        }
        return columns;
    }

    static Iterable<String> tables() {
        return TABLES.keySet();
    }

    static boolean has(final String table) {
        return TABLES.containsKey(table);
    }

    static Map<String, Kind> columns(final String table) {
        return TABLES.get(table);
    }

    /** Columns of a table that reference rows. */
    static List<String> references(final String table) {
        return TABLES.get(table).keySet().stream().filter(REFERENCES::containsKey).toList();
    }

    /** The table that a column references. */
    static String referencedTable(final String column) {
        return REFERENCES.get(column);
    }

    /** The initial value of a column. */
    static JsonElement initial(final Kind kind) {
        return switch (kind) {
            case TEXT -> new JsonPrimitive("");
            case INTEGER -> new JsonPrimitive(0);
            case BOOLEAN -> new JsonPrimitive(false);
            case MAP, NUMBERS -> Json.EMPTY_MAP;
            default -> Json.EMPTY_SET;
        };
    }

    /** The answer to {@code get_schema} (RFC 7047, section 3.2). */
    static JsonObject describe() {
        final var tables = new JsonObject();
        TABLES.forEach((table, columns) -> {
            final var described = new JsonObject();
            columns.forEach((column, kind) -> {
                final var type = new JsonObject();
                type.add("type", type(column, kind));
                described.add(column, type);
            });
            final var entry = new JsonObject();
            entry.add("columns", described);
            entry.addProperty("isRoot", table.equals(SYSTEM));
            tables.add(table, entry);
        });
        final var schema = new JsonObject();
        schema.addProperty("name", SYSTEM);
        schema.addProperty("version", "8.3.1");
        schema.add("tables", tables);
        return schema;
    }

    private static JsonElement type(final String column, final Kind kind) {
        final var type = new JsonObject();
        switch (kind) {
            case TEXT, INTEGER, BOOLEAN -> {
                return Json.text(kind == Kind.TEXT ? "string" : kind == Kind.INTEGER ? "integer" : "boolean");
            }
            case ROWS -> {
                final var key = new JsonObject();
                key.addProperty("type", "uuid");
                key.addProperty("refTable", referencedTable(column));
                type.add("key", key);
            }
            default -> type.addProperty("key", kind == Kind.OPTIONAL_INTEGER ? "integer" : "string");
        }
        if (kind == Kind.MAP || kind == Kind.NUMBERS) {
            type.addProperty("value", kind == Kind.MAP ? "string" : "integer");
        }
        type.addProperty("min", 0);
        if (kind == Kind.OPTIONAL_TEXT || kind == Kind.OPTIONAL_INTEGER) {
            type.addProperty("max", 1);
        } else {
            type.addProperty("max", "unlimited");
        }
        return type;
    }
}
