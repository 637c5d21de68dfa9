package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.ovsdb.BridgePlan.Desired;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;

/**
 * The {@code other_config} of a node's Open_vSwitch row, as far as the ports of its bridges need it. For each key that
 * daqfabric sets, {@code external_ids} keeps what was there before, so that it can be put back.
 *
 * @param wanted what the desired bridges need together
 * @param isWhole whether nothing else on the node may need what daqfabric has set
 */
record NodeConfig(SystemRow system, SortedMap<String, String> wanted, boolean isWhole) {
    /** Name of these settings where bridges have theirs; no bridge has a blank in its name. */
    static final String NAME = "DPDK settings";
    private static final String BEFORE = "daqfabric-before-";
    /** Key in {@code external_ids} of what DPDK was started with, if it has to be started again. */
    private static final String STARTED = "daqfabric-dpdk-started";
    private static final String INIT = "dpdk-init";
    /** What DPDK reads when it starts. */
    private static final List<String> READ_AT_START = List.of("dpdk-socket-mem", "dpdk-lcore-mask", "dpdk-extra");

    /**
     * Reads what a node has and needs.
     *
     * @param removed names of bridges that the same plan deletes
     */
    static NodeConfig of(OvsdbSnapshot snapshot, SystemRow system, Desired desired, Iterable<String> removed) {
        SortedMap<String, String> wanted = new TreeMap<>();
        for (Bridge bridge : desired.bridges().values()) {
            bridge.node().forEach(wanted::putIfAbsent);
        }
        SortedMap<String, String> others = new TreeMap<>(snapshot.marks());
        removed.forEach(others::remove);
        others.keySet().removeAll(desired.bridges().keySet());
        return new NodeConfig(system, wanted, others.isEmpty());
    }

    /** Whether DPDK runs with other settings than it is to run with. */
    static boolean isRestartNeeded(SystemRow system) {
        return system.externalIds().containsKey(STARTED);
    }

    /** Notes that DPDK was started with the settings that it is to run with. */
    static List<JsonObject> restarted(SystemRow system) {
        Operations operations = new Operations();
        JsonArray mutations = new JsonArray();
        mutations.add(OvsdbValues.array("external_ids", "delete",
            OvsdbValues.set(List.of(new JsonPrimitive(STARTED)))));
        operations.mutate("Open_vSwitch", system.uuid(), mutations);
        operations.bump(system.uuid());
        return operations.list();
    }

    /** That ovs-vswitchd must be restarted for the ports of a bridge; empty if it need not be. */
    static String trouble(OvsdbSnapshot snapshot, Bridge bridge) {
        return snapshot.system().filter(system -> bridge.node().containsKey(INIT) && isRestartNeeded(system))
            .map(system -> "restart ovs-vswitchd on " + system.systemId() + ": its DPDK was started with other settings"
                + " (" + system.externalIds().get(STARTED) + ")").orElse("");
    }

    /** What to change; nothing if the node is as it must be. */
    List<JsonObject> operations() {
        SortedMap<String, String> config = new TreeMap<>(system.otherConfig());
        SortedMap<String, String> ids = new TreeMap<>(system.externalIds());
        wanted.forEach((key, value) -> {
            if (!isSatisfied(key, value)) {
                config.put(key, value);
                ids.putIfAbsent(BEFORE + key, system.otherConfig().getOrDefault(key, ""));
            }
        });
        if (isWhole) {
            takeBack(config, ids);
        }
        started(config, ids);
        Operations operations = new Operations();
        JsonArray mutations = new JsonArray();
        mutate(mutations, "other_config", system.otherConfig(), config);
        mutate(mutations, "external_ids", system.externalIds(), ids);
        operations.mutate("Open_vSwitch", system.uuid(), mutations);
        return operations.list();
    }

    private boolean isSatisfied(String key, String value) {
        String present = system.otherConfig().get(key);
        return value.equals(present) || key.equals(INIT) && "true".equals(present);
    }

    private void takeBack(SortedMap<String, String> config, SortedMap<String, String> ids) {
        for (Map.Entry<String, String> before : system.externalIds().entrySet()) {
            String key = before.getKey().startsWith(BEFORE) ? before.getKey().substring(BEFORE.length()) : "";
            if (!key.isEmpty() && !wanted.containsKey(key)) {
                ids.remove(before.getKey());
                if (before.getValue().isEmpty()) {
                    config.remove(key);
                } else {
                    config.put(key, before.getValue());
                }
            }
        }
    }

    /**
     * Remembers what DPDK runs with while that is not what it is to run with. Without dpdk-init it is not known what
     * DPDK that runs was started with: it may be what is wanted, as of a fabric that comes back.
     */
    private void started(SortedMap<String, String> config, SortedMap<String, String> ids) {
        String now = arguments(system.otherConfig());
        String next = arguments(config);
        String runsWith = system.externalIds().get(STARTED);
        boolean isNeeded = wanted.containsKey(INIT) && system.dpdkInitialized();
        if (runsWith == null && isNeeded && system.otherConfig().containsKey(INIT) && !next.equals(now)) {
            ids.put(STARTED, now);
        } else if (runsWith != null && (!isNeeded || runsWith.equals(next))) {
            ids.remove(STARTED);
        }
    }

    private static String arguments(Map<String, String> config) {
        StringBuilder text = new StringBuilder();
        READ_AT_START.forEach(key -> text.append(key).append('=').append(config.getOrDefault(key, "")).append(' '));
        return text.toString().strip();
    }

    private static void mutate(JsonArray mutations, String column, Map<String, String> before,
            Map<String, String> after) {
        List<JsonPrimitive> removed = before.keySet().stream()
            .filter(key -> !before.get(key).equals(after.get(key))).map(JsonPrimitive::new).toList();
        SortedMap<String, String> added = new TreeMap<>(after);
        added.entrySet().removeAll(before.entrySet());
        if (!removed.isEmpty()) {
            mutations.add(OvsdbValues.array(column, "delete", OvsdbValues.set(removed)));
        }
        if (!added.isEmpty()) {
            mutations.add(OvsdbValues.array(column, "insert", OvsdbValues.map(added)));
        }
    }
}
