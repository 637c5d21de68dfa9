package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.ControllerRow;

/** The OpenFlow controllers of one bridge, and the operations that bring them to their desired state. */
final class ControllerDiff {
    /** Longest pause in milliseconds between a node's attempts to reach a controller; Open vSwitch takes no less. */
    private static final int MAX_BACKOFF = 1000;
    /** Milliseconds without a message after which a node probes its controller. */
    private static final int INACTIVITY_PROBE = 5000;
    /** Packets per second that a bridge may send to its controllers; it sends LLDP and proofs. */
    private static final int RATE_LIMIT = 100;
    private static final String OUT_OF_BAND = "out-of-band";
    private static final String MARK = BridgePlan.MARK;
    /** A port at the end of a target; colons of an IPv6 address are in brackets. */
    private static final Pattern PORT = Pattern.compile("(?:[\\w.-]|\\]):\\d+$");
    private static final String USUAL_PORT = ":6653";

    private final Operations operations;
    private final OvsdbSnapshot snapshot;
    private final String fabric;
    private final Supplier<String> names;
    private final List<String> corrections = new ArrayList<>();

    /**
     * Creates a difference without operations yet.
     *
     * @param names gives names of new rows
     */
    ControllerDiff(Operations operations, OvsdbSnapshot snapshot, String fabric, Supplier<String> names) {
        this.operations = operations;
        this.snapshot = snapshot;
        this.fabric = fabric;
        this.names = names;
    }

    /** What was put right, in words. */
    List<String> corrections() {
        return corrections;
    }

    /**
     * Those which may change a bridge's rules, but which are not ours: connected ones and listeners, as Open vSwitch
     * does not say whether a program is connected to a listener.
     */
    static List<ControllerRow> foreign(OvsdbSnapshot snapshot, BridgeRow row) {
        return foreign(row.controllers().stream().map(snapshot.controllers()::get).filter(Objects::nonNull).toList());
    }

    static List<ControllerRow> foreign(List<ControllerRow> all) {
        Set<String> ours = all.stream().filter(ControllerDiff::isMarked).map(each -> place(each.target()))
            .collect(Collectors.toSet());
        return all.stream().filter(each -> (each.connected() || each.isListener()) && !isMarked(each)
            && !ours.contains(place(each.target()))).toList();
    }

    private static boolean isMarked(ControllerRow row) {
        return row.externalIds().containsKey(MARK);
    }

    /** What a target leads to: Open vSwitch takes it for another one if it leaves out the usual port. */
    private static String place(String target) {
        return PORT.matcher(target).find() ? target : target + USUAL_PORT;
    }

    void change(BridgeRow row, SortedSet<String> targets, RowChanges bridge) {
        SortedSet<String> missing = new TreeSet<>(targets);
        List<String> removed = new ArrayList<>();
        for (String uuid : row.controllers()) {
            ControllerRow existing = snapshot.controllers().get(uuid);
            if (existing == null) {
                continue;
            }
            if (missing.remove(existing.target())) {
                change(existing, row.name());
            } else if (isMarked(existing)) {
                removed.add(uuid);
            }
        }
        List<JsonElement> added = new ArrayList<>();
        missing.forEach(target -> added.add(insert(target)));
        bridge.references("controller", added, removed);
    }

    JsonArray insert(String target) {
        JsonObject columns = new JsonObject();
        columns.addProperty("connection_mode", OUT_OF_BAND);
        columns.addProperty("max_backoff", MAX_BACKOFF);
        columns.addProperty("inactivity_probe", INACTIVITY_PROBE);
        columns.addProperty("controller_rate_limit", RATE_LIMIT);
        columns.addProperty("target", target);
        columns.add("external_ids", OvsdbValues.map(Map.of(MARK, fabric)));
        String name = names.get();
        operations.insert("Controller", name, columns);
        return OvsdbValues.namedUuid(name);
    }

    private void change(ControllerRow existing, String bridge) {
        RowChanges changes = new RowChanges("Controller", existing.uuid());
        changes.column("connection_mode", new JsonPrimitive(OUT_OF_BAND),
            existing.connectionMode().equals(OUT_OF_BAND));
        number(changes, "max_backoff", MAX_BACKOFF, existing.maxBackoff());
        number(changes, "inactivity_probe", INACTIVITY_PROBE, existing.inactivityProbe());
        number(changes, "controller_rate_limit", RATE_LIMIT, existing.rateLimit());
        changes.entries("external_ids", existing.externalIds(), Map.of(MARK, fabric));
        corrections.addAll(changes.putRight(existing.deviations(),
            "controller " + existing.target() + " of bridge " + bridge));
        changes.addTo(operations);
    }

    private static void number(RowChanges changes, String column, int wanted, OptionalLong has) {
        changes.column(column, new JsonPrimitive(wanted), has.equals(OptionalLong.of(wanted)));
    }
}
