package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Bfd;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.OpenFlowController;

/**
 * The state of a node's connections, as the node reports it.
 *
 * @param bfd by port; absent for ports without BFD
 */
record ConnectionHealth(List<OpenFlowController> controllers, SortedMap<String, Bfd> bfd) {
    private static final String NO_DIAGNOSTIC = "No Diagnostic";

    static ConnectionHealth of(JsonArray controllers, JsonArray interfaces) {
        List<OpenFlowController> reported = new ArrayList<>();
        for (JsonElement each : controllers) {
            JsonObject row = each.getAsJsonObject();
            reported.add(new OpenFlowController(OvsdbValues.string(row, "target"),
                Boolean.parseBoolean(OvsdbValues.string(row, "is_connected")),
                OvsdbValues.map(row, "status").getOrDefault("last_error", "")));
        }
        SortedMap<String, Bfd> sessions = new TreeMap<>();
        for (JsonElement each : interfaces) {
            Map<String, String> status = OvsdbValues.map(each.getAsJsonObject(), "bfd_status");
            if (status.containsKey("state")) {
                sessions.put(OvsdbValues.string(each.getAsJsonObject(), "name"), new Bfd(status.get("state"),
                    status.getOrDefault("diagnostic", "").replace(NO_DIAGNOSTIC, "")));
            }
        }
        return new ConnectionHealth(reported, sessions);
    }
}
