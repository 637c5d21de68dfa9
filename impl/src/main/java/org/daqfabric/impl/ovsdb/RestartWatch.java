package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;

/**
 * Waits for a restart of ovs-vswitchd, without which DPDK does not take new settings. No column tells that it was
 * restarted, but its OpenFlow connections do: all are younger than the settings, and none was ever lost, as a process
 * that went on would report. Lives in its node's mailbox; times are in nanoseconds.
 */
final class RestartWatch {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final DriverContext context;
    private final Node node;
    private boolean waits;
    private boolean asked;
    private long since;

    RestartWatch(DriverContext context, Node node) {
        this.context = context;
        this.node = node;
    }

    /** Looks at a node that has been given all settings. */
    void observe(OvsdbSession session, SystemRow system, long now) {
        if (!NodeConfig.isRestartNeeded(system)) {
            waits = false;
            return;
        }
        if (!waits) {
            waits = true;
            since = now;
        }
        if (!asked) {
            asked = true;
            context.later(PAUSE, () -> session.controllers().whenComplete((rows, failure) -> node.execute(() -> {
                asked = false;
                if (failure == null && waits && hasRestarted(rows, System.nanoTime() - since)
                        && context.mayChange().getAsBoolean()) {
                    session.transact(NodeConfig.restarted(system));
                }
                node.changed();
            })));
        }
    }

    /**
     * Whether ovs-vswitchd began later than so long ago.
     *
     * @param controllers rows of table Controller
     */
    static boolean hasRestarted(JsonArray controllers, long nanos) {
        List<Map<String, String>> connected = new ArrayList<>();
        for (JsonElement each : controllers) {
            JsonObject row = each.getAsJsonObject();
            if (OvsdbValues.map(row, "external_ids").containsKey(BridgePlan.MARK)
                    && new JsonPrimitive(true).equals(row.get("is_connected"))) {
                connected.add(OvsdbValues.map(row, "status"));
            }
        }
        return !connected.isEmpty() && connected.stream().allMatch(status ->
            !status.containsKey("sec_since_disconnect") && status.containsKey("sec_since_connect")
                && Long.parseLong(status.get("sec_since_connect")) < TimeUnit.NANOSECONDS.toSeconds(nanos));
    }
}
