package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.controller.spi.Installation;

/**
 * The monitored rows of a node's database at one moment. Immutable; every update makes a new one.
 *
 * @param system the node's Open_vSwitch row; empty before the database is initialised
 */
record OvsdbSnapshot(Optional<SystemRow> system, SortedMap<String, ManagerRow> managers,
        SortedMap<String, ControllerRow> controllers, SortedMap<String, BridgeRow> bridges,
        SortedMap<String, PortRow> ports, SortedMap<String, InterfaceRow> interfaces,
        SortedMap<String, MirrorRow> mirrors) {
    static final OvsdbSnapshot EMPTY = new OvsdbSnapshot(Optional.empty(), Collections.emptySortedMap(),
        Collections.emptySortedMap(), Collections.emptySortedMap(), Collections.emptySortedMap(),
        Collections.emptySortedMap(), Collections.emptySortedMap());

    /** Rows of one table beyond which a peer is not accepted as a node; a node has a row or two for each port. */
    private static final int MAX_ROWS = 100_000;

    private static final List<String> LISTENERS = List.of("ptcp:", "pssl:", "punix:");

    /**
     * The monitored columns by table, besides those that {@link ForwardingColumns} compares: only ones that change when
     * the configuration or a link changes.
     */
    private static final Map<String, List<String>> COLUMNS = Map.of(
        "Open_vSwitch", List.of("external_ids", "bridges", "next_cfg", "cur_cfg", "ovs_version", "iface_types",
            "other_config", "dpdk_initialized", "dpdk_version"),
        "Manager", List.of("target", "external_ids"),
        "Controller", List.of("target", "connection_mode", "max_backoff", "inactivity_probe", "controller_rate_limit",
            "external_ids", "is_connected"),
        "Bridge", List.of("name", "datapath_type", "fail_mode", "protocols", "other_config", "external_ids", "ports",
            "controller", "mirrors"),
        "Port", List.of("name", "interfaces", "external_ids"),
        "Interface", List.of("name", "type", "options", "bfd", "ofport", "ofport_request", "admin_state",
            "link_state", "error", "status", "mtu", "mtu_request", "ifindex"),
        "Mirror", List.of("name", "output_port", "output_vlan"));

    /**
     * The row of table Open_vSwitch.
     *
     * @param dpdkVersion such as "DPDK 22.11.11"; empty without DPDK
     */
    record SystemRow(String uuid, SortedMap<String, String> externalIds, SortedSet<String> bridges, long nextCfg,
            long curCfg, String ovsVersion, SortedSet<String> interfaceTypes, SortedMap<String, String> otherConfig,
            boolean dpdkInitialized, String dpdkVersion) {
        SystemRow(String uuid, JsonObject row) {
            this(uuid, OvsdbValues.map(row, "external_ids"), OvsdbValues.uuids(row, "bridges"),
                OvsdbValues.integer(row, "next_cfg").orElse(0), OvsdbValues.integer(row, "cur_cfg").orElse(0),
                OvsdbValues.string(row, "ovs_version"), OvsdbValues.strings(row, "iface_types"),
                OvsdbValues.map(row, "other_config"),
                Boolean.parseBoolean(OvsdbValues.string(row, "dpdk_initialized")),
                OvsdbValues.string(row, "dpdk_version"));
        }

        String systemId() {
            return externalIds.getOrDefault("system-id", "");
        }
    }

    record ManagerRow(String uuid, String target, SortedMap<String, String> externalIds) {
        ManagerRow(String uuid, JsonObject row) {
            this(uuid, OvsdbValues.string(row, "target"), OvsdbValues.map(row, "external_ids"));
        }
    }

    /**
     * A row of table Controller.
     *
     * @param deviations as {@link ForwardingColumns#deviations} finds them
     */
    record ControllerRow(String uuid, String target, String connectionMode, OptionalLong maxBackoff,
            OptionalLong inactivityProbe, OptionalLong rateLimit, SortedMap<String, String> externalIds,
            boolean connected, SortedMap<String, String> deviations) {
        ControllerRow(String uuid, JsonObject row) {
            this(uuid, OvsdbValues.string(row, "target"), OvsdbValues.string(row, "connection_mode"),
                OvsdbValues.integer(row, "max_backoff"), OvsdbValues.integer(row, "inactivity_probe"),
                OvsdbValues.integer(row, "controller_rate_limit"), OvsdbValues.map(row, "external_ids"),
                Boolean.parseBoolean(OvsdbValues.string(row, "is_connected")),
                ForwardingColumns.deviations("Controller", row));
        }

        /** Whether the bridge waits there for programs, instead of connecting to one. */
        boolean isListener() {
            return LISTENERS.stream().anyMatch(target::startsWith);
        }
    }

    /**
     * A row of table Bridge.
     *
     * @param deviations as {@link ForwardingColumns#deviations} finds them
     */
    record BridgeRow(String uuid, String name, String datapathType, String failMode, SortedSet<String> protocols,
            SortedMap<String, String> otherConfig, SortedMap<String, String> externalIds, SortedSet<String> ports,
            SortedSet<String> controllers, SortedSet<String> mirrors, SortedMap<String, String> deviations) {
        BridgeRow(String uuid, JsonObject row) {
            this(uuid, OvsdbValues.string(row, "name"), OvsdbValues.string(row, "datapath_type"),
                OvsdbValues.string(row, "fail_mode"), OvsdbValues.strings(row, "protocols"),
                OvsdbValues.map(row, "other_config"), OvsdbValues.map(row, "external_ids"),
                OvsdbValues.uuids(row, "ports"), OvsdbValues.uuids(row, "controller"),
                OvsdbValues.uuids(row, "mirrors"), ForwardingColumns.deviations("Bridge", row));
        }
    }

    /**
     * A row of table Mirror.
     *
     * @param outputPort uuid of the port that gets the copies; empty if there is none
     * @param outputVlan whether the copies go to a VLAN
     */
    record MirrorRow(String uuid, String name, String outputPort, boolean outputVlan) {
        MirrorRow(String uuid, JsonObject row) {
            this(uuid, OvsdbValues.string(row, "name"), OvsdbValues.uuids(row, "output_port").stream().findFirst()
                .orElse(""), OvsdbValues.integer(row, "output_vlan").isPresent());
        }
    }

    /**
     * A row of table Port.
     *
     * @param deviations as {@link ForwardingColumns#deviations} finds them
     */
    record PortRow(String uuid, String name, SortedSet<String> interfaces, SortedMap<String, String> externalIds,
            SortedMap<String, String> deviations) {
        PortRow(String uuid, JsonObject row) {
            this(uuid, OvsdbValues.string(row, "name"), OvsdbValues.uuids(row, "interfaces"),
                OvsdbValues.map(row, "external_ids"), ForwardingColumns.deviations("Port", row));
        }
    }

    /**
     * A row of table Interface.
     *
     * @param drops of a daqring that dropped packets
     * @param mtu what it has, bytes; empty if Open vSwitch does not tell
     * @param mtuRequest what it is asked to have
     * @param ifindex the kernel's number of its device; 0 or empty if there is none
     * @param deviations as {@link ForwardingColumns#deviations} finds them
     */
    record InterfaceRow(String uuid, String name, String type, SortedMap<String, String> options,
            SortedMap<String, String> bfd, OptionalLong ofport, OptionalLong ofportRequest, String adminState,
            String linkState, String error, Optional<RingDrops> drops, OptionalLong mtu, OptionalLong mtuRequest,
            OptionalLong ifindex, SortedMap<String, String> deviations) {
        InterfaceRow(String uuid, JsonObject row) {
            this(uuid, OvsdbValues.string(row, "name"), OvsdbValues.string(row, "type"),
                OvsdbValues.map(row, "options"), OvsdbValues.map(row, "bfd"), OvsdbValues.integer(row, "ofport"),
                OvsdbValues.integer(row, "ofport_request"), OvsdbValues.string(row, "admin_state"),
                OvsdbValues.string(row, "link_state"), OvsdbValues.string(row, "error"),
                DropStatus.of(OvsdbValues.map(row, "status")), OvsdbValues.integer(row, "mtu"),
                OvsdbValues.integer(row, "mtu_request"), OvsdbValues.integer(row, "ifindex"),
                ForwardingColumns.deviations("Interface", row));
        }
    }

    /** The monitor-requests of {@code monitor} (RFC 7047, section 4.1.5). */
    static JsonObject monitorRequests() {
        JsonObject requests = new JsonObject();
        COLUMNS.forEach((table, columns) -> {
            SortedSet<String> all = new TreeSet<>(columns);
            all.addAll(ForwardingColumns.compared(table));
            JsonObject request = new JsonObject();
            request.add("columns", OvsdbValues.array(all.toArray()));
            JsonArray list = new JsonArray();
            list.add(request);
            requests.add(table, list);
        });
        return requests;
    }

    /**
     * The snapshot after a table-updates object, from the reply to {@code monitor} or an {@code update}.
     *
     * @throws IllegalArgumentException or another RuntimeException of the JSON library if it is malformed
     */
    OvsdbSnapshot apply(JsonObject updates) {
        SortedMap<String, SystemRow> systems = new TreeMap<>();
        system.ifPresent(row -> systems.put(row.uuid(), row));
        SortedMap<String, SystemRow> changed = applied(systems, updates, "Open_vSwitch", SystemRow::new);
        return new OvsdbSnapshot(changed.values().stream().findFirst(),
            applied(managers, updates, "Manager", ManagerRow::new),
            applied(controllers, updates, "Controller", ControllerRow::new),
            applied(bridges, updates, "Bridge", BridgeRow::new),
            applied(ports, updates, "Port", PortRow::new),
            applied(interfaces, updates, "Interface", InterfaceRow::new),
            applied(mirrors, updates, "Mirror", MirrorRow::new));
    }

    /** The fabrics that made bridges of this node, by name of the bridge. */
    SortedMap<String, String> marks() {
        SortedMap<String, String> marks = new TreeMap<>();
        for (BridgeRow row : bridges.values()) {
            String fabric = row.externalIds().get(BridgePlan.MARK);
            if (fabric != null) {
                marks.put(row.name(), fabric);
            }
        }
        return marks;
    }

    /** Whether one of these bridges belongs to another installation. */
    boolean isOthers(Set<String> names, Installation installation) {
        return others(installation).keySet().stream().anyMatch(names::contains);
    }

    /** The ids of other installations that have bridges of this node, by name of the bridge. */
    SortedMap<String, String> others(Installation installation) {
        SortedMap<String, String> others = new TreeMap<>();
        for (BridgeRow row : bridges.values()) {
            String id = row.externalIds().get(BridgePlan.INSTALLATION);
            if (installation.isOther(id)) {
                others.put(row.name(), id);
            }
        }
        return others;
    }

    /**
     * Whether a bridge switches like a common one, by a NORMAL rule: it has no controllers, as which Open vSwitch
     * counts no listeners, and may do without.
     */
    boolean switchesByItself(String bridge) {
        return bridges.values().stream().anyMatch(row -> row.name().equals(bridge)
            && !BridgeDiff.SECURE.equals(row.failMode()) && row.controllers().stream().map(controllers::get)
                .allMatch(each -> each != null && each.isListener()));
    }

    private static <R> SortedMap<String, R> applied(SortedMap<String, R> before, JsonObject updates, String table,
            BiFunction<String, JsonObject, R> reading) {
        JsonObject rows = updates.getAsJsonObject(table);
        if (rows == null) {
            return before;
        }
        SortedMap<String, R> after = new TreeMap<>(before);
        for (Map.Entry<String, JsonElement> change : rows.entrySet()) {
            JsonObject row = change.getValue().getAsJsonObject().getAsJsonObject("new");
            if (row == null) {
                after.remove(change.getKey());
            } else {
                after.put(change.getKey(), reading.apply(change.getKey(), row));
            }
        }
        if (after.size() > MAX_ROWS) {
            throw new IllegalArgumentException("more than " + MAX_ROWS + " rows in " + table);
        }
        return Collections.unmodifiableSortedMap(after);
    }
}
