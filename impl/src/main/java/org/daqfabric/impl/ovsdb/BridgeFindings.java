package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.Finding.Kind;
import org.daqfabric.api.state.Finding.What;
import org.daqfabric.impl.ovsdb.BridgePlan.Problems;

/** Describes how a bridge differs from the desired one, from the operations that would correct it. */
final class BridgeFindings {
    private BridgeFindings() {
    }

    static List<Finding> of(String switchName, OvsdbSnapshot snapshot, List<JsonObject> operations, Problems problems) {
        List<Finding> findings = new ArrayList<>();
        for (JsonObject operation : operations) {
            String table = operation.get("table").getAsString();
            switch (operation.get("op").getAsString()) {
                case "insert" -> {
                    if (table.equals("Bridge") || table.equals("Interface")) {
                        JsonObject row = operation.getAsJsonObject("row");
                        findings.add(new Finding(switchName, kind(table, row), What.MISSING,
                            row.has("name") ? row.get("name").getAsString() : "", ""));
                    }
                }
                case "update" -> findings.add(new Finding(switchName, kind(table, operation.getAsJsonObject("row")),
                    What.DIFFERENT, name(snapshot, table, operation), "expected " + operation.get("row")));
                case "mutate" -> findings.add(new Finding(switchName, Kind.BRIDGE, What.DIFFERENT,
                    name(snapshot, table, operation), "to be changed: " + operation.get("mutations")));
                default -> {
                    // a condition for the other operations
                }
            }
        }
        if (!problems.bridge().isEmpty()) {
            findings.add(new Finding(switchName, Kind.BRIDGE, What.DIFFERENT, "", problems.bridge()));
        }
        problems.ports().forEach((port, problem) ->
            findings.add(new Finding(switchName, Kind.PORT, What.MISSING, port, problem)));
        return findings;
    }

    private static Kind kind(String table, JsonObject row) {
        if (!table.equals("Interface") && !table.equals("Port")) {
            return Kind.BRIDGE;
        }
        if (row.has("bfd") && row.size() == 1) {
            return Kind.BFD;
        }
        return row.has("type") && row.get("type").getAsString().equals("daqring") ? Kind.DAQRING : Kind.PORT;
    }

    /** The name of the row an operation is about. */
    private static String name(OvsdbSnapshot snapshot, String table, JsonObject operation) {
        String uuid = operation.getAsJsonArray("where").get(0).getAsJsonArray().get(2).getAsJsonArray().get(1)
            .getAsString();
        return switch (table) {
            case "Bridge" -> snapshot.bridges().containsKey(uuid) ? snapshot.bridges().get(uuid).name() : "";
            case "Port" -> snapshot.ports().containsKey(uuid) ? snapshot.ports().get(uuid).name() : "";
            case "Interface" -> snapshot.interfaces().containsKey(uuid) ? snapshot.interfaces().get(uuid).name() : "";
            default -> table;
        };
    }
}
