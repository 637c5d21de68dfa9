package org.daqfabric.it;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import com.google.gson.JsonObject;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The state of a fabric, as read over RESTCONF. */
record FabricState(JsonObject json) {
    /** Where a DCM is placed; 0 if nowhere. */
    record Place(int plane, int spine) {
    }

    String phase() {
        return json.has("phase") ? json.get("phase").getAsString() : "absent";
    }

    long generation() {
        return json.has("generation") ? json.get("generation").getAsLong() : -1;
    }

    /** Plane and spine of every DCM. */
    Map<String, Place> placement() {
        return FabricFile.entries(json, "placement").stream().collect(toMap(each -> each.get("dcm").getAsString(),
            each -> new Place(number(each, "plane"), number(each, "spine")), (a, b) -> a, TreeMap::new));
    }

    /** By DCM and pod, the plane and spine of packets from the pod where these differ. */
    Map<String, Map<Integer, Place>> fromPods() {
        final var ways = new TreeMap<String, Map<Integer, Place>>();
        FabricFile.entries(json, "placement").stream().filter(each -> each.has("from-pod")).forEach(each ->
            ways.put(each.get("dcm").getAsString(), FabricFile.entries(each, "from-pod").stream().collect(toMap(
                pod -> number(pod, "pod"), pod -> new Place(number(pod, "plane"), number(pod, "spine")),
                (a, b) -> a, TreeMap::new))));
        return ways;
    }

    Map<String, Integer> reachableRos() {
        return FabricFile.entries(json, "placement").stream().collect(toMap(each -> each.get("dcm").getAsString(),
            each -> number(each, "reachable-ros"), (a, b) -> a, TreeMap::new));
    }

    /** Total number of moves of all DCMs. */
    long moves() {
        return FabricFile.entries(json, "placement").stream().mapToLong(each -> each.get("moves").getAsLong()).sum();
    }

    /** Number of DCMs on every spine. */
    Map<Place, Integer> dcmsOfSpines() {
        return FabricFile.entries(json, "spine").stream().collect(toMap(
            each -> new Place(number(each, "plane"), number(each, "spine")), each -> number(each, "dcms")));
    }

    /** Links in an operational state, as switch:port. */
    Set<String> links(final String operState) {
        final var links = new TreeSet<String>();
        FabricFile.entries(json, "link").stream().filter(each -> operState.equals(each.get("oper-state").getAsString()))
            .forEach(each -> links.add(each.get("switch").getAsString() + ":" + each.get("port").getAsString()));
        return links;
    }

    /** The peer that the cabling check found for each link, both as switch:port. */
    Map<String, String> seenPeers() {
        return FabricFile.entries(json, "link").stream().filter(each -> each.has("seen-peer-switch")).collect(toMap(
            each -> each.get("switch").getAsString() + ":" + each.get("port").getAsString(),
            each -> each.get("seen-peer-switch").getAsString() + ":" + each.get("seen-peer-port").getAsString(),
            (a, b) -> a, TreeMap::new));
    }

    /** Whether the cabling check has found a peer for every link, which takes 5 s. */
    boolean areAllCablesKnown() {
        return seenPeers().size() == FabricFile.entries(json, "link").size();
    }

    /** Whether both ports of every link have been read, which takes 10 s. */
    boolean areAllPortsKnown() {
        return FabricFile.entries(json, "port").size() == 2 * FabricFile.entries(json, "link").size();
    }

    /** Names of the switches. */
    Set<String> switches() {
        return FabricFile.entries(json, "switch").stream().map(each -> each.get("name").getAsString())
            .collect(toSet());
    }

    JsonObject switchNamed(final String name) {
        return FabricFile.entries(json, "switch").stream().filter(each -> name.equals(each.get("name").getAsString()))
            .findFirst().orElseThrow(() -> new AssertionError("no state of switch " + name));
    }

    /** Gbps. */
    double bandwidth() {
        return json.getAsJsonObject("capacity").get("bandwidth").getAsDouble();
    }

    /** Gbps. */
    double nominalBandwidth() {
        return json.getAsJsonObject("capacity").get("nominal-bandwidth").getAsDouble();
    }

    int movedDcms() {
        return number(json.getAsJsonObject("last-repair"), "moved-dcms");
    }

    /** DCMs that moved for balance after a repair; 0 if none did. */
    int balancedDcms() {
        return json.has("last-rebalanced") ? number(json.getAsJsonObject("last-rebalanced"), "moved-dcms") : 0;
    }

    /** Whether the DCMs have been spread after the last repair, and all switches have confirmed it. */
    boolean isBalanced() {
        final var balanced = json.getAsJsonObject("last-rebalanced");
        return balanced != null && balanced.has("confirmed");
    }

    /** Whether the last repair was detected after that time and is confirmed. */
    boolean isRepairedSince(final OffsetDateTime time) {
        final var repair = json.getAsJsonObject("last-repair");
        return repair != null && repair.has("confirmed")
            && OffsetDateTime.parse(repair.get("detected").getAsString()).isAfter(time);
    }

    /** A summary for the message of a failed condition. */
    String summary() {
        final var errors = new TreeMap<String, String>();
        final var away = new TreeSet<String>();
        for (var each : FabricFile.entries(json, "switch")) {
            final var name = each.get("name").getAsString();
            if (each.has("last-error")) {
                errors.put(name, each.get("last-error").getAsString());
            }
            if (!is(each, "ovsdb-connected") || !is(each, "openflow-connected")) {
                away.add(name);
            }
        }
        final var links = new TreeMap<String, String>();
        FabricFile.entries(json, "link").stream().filter(each -> !each.get("oper-state").getAsString().equals("up"))
            .forEach(each -> links.put(each.get("switch").getAsString() + ":" + each.get("port").getAsString(),
                each.toString()));
        return "phase " + phase() + ", away " + away + ", links not up " + links + ", errors " + errors;
    }

    private static boolean is(final JsonObject node, final String leaf) {
        return node.has(leaf) && node.get(leaf).getAsBoolean();
    }

    private static int number(final JsonObject node, final String leaf) {
        return node.has(leaf) ? node.get(leaf).getAsInt() : 0;
    }
}
