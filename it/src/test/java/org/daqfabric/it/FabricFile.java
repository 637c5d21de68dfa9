package org.daqfabric.it;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/** A fabric file, which is a RESTCONF payload, with methods to edit it in a test. */
final class FabricFile {
    private static final Gson PRETTY = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    /** A ROS or DCM with its pod, address and edge switch. */
    record Host(String name, boolean isDcm, int pod, String address, String edge) {
    }

    private final JsonObject root;

    private FabricFile(final JsonObject root) {
        this.root = root;
    }

    static FabricFile parse(final String json) {
        return new FabricFile(JsonParser.parseString(json).getAsJsonObject());
    }

    FabricFile copy() {
        return new FabricFile(root.deepCopy());
    }

    /** Enables or disables BFD on the links. */
    FabricFile withBfd(final boolean bfd) {
        final var protection = new JsonObject();
        protection.addProperty("bfd", bfd);
        final var policy = new JsonObject();
        policy.add("protection", protection);
        fabric().add("policy", policy);
        return this;
    }

    /** With BFD that a machine with other things to do keeps up: one packet in so many milliseconds. */
    FabricFile withBfdEvery(final int interval) {
        withBfd(true).fabric().getAsJsonObject("policy").getAsJsonObject("protection")
            .addProperty("bfd-interval", interval);
        return this;
    }

    /** Gives switches other names, by their old names. */
    FabricFile rename(final Map<String, String> names) {
        entries(fabric(), "switch").forEach(each -> rename(each, "name", names));
        for (var plane : entries(fabric(), "plane")) {
            entries(plane, "spine").forEach(each -> rename(each, "switch", names));
            entries(plane, "leaf").forEach(each -> rename(each, "switch", names));
        }
        for (var pod : entries(fabric(), "pod")) {
            entries(pod, "ros").forEach(each -> rename(each, "switch", names));
            entries(pod, "hlt-rack").forEach(each -> rename(each, "switch", names));
        }
        for (var link : entries(fabric(), "link")) {
            rename(link, "switch", names);
            rename(link, "peer-switch", names);
        }
        return this;
    }

    private static void rename(final JsonObject node, final String leaf, final Map<String, String> names) {
        final var before = node.get(leaf).getAsString();
        node.addProperty(leaf, names.getOrDefault(before, before));
    }

    /** Gives each entry of a list another id. */
    static void renumber(final List<JsonObject> entries, final String leaf, final IntUnaryOperator id) {
        entries.forEach(each -> each.addProperty(leaf, id.applyAsInt(each.get(leaf).getAsInt())));
    }

    String json() {
        return PRETTY.toJson(root);
    }

    JsonObject fabric() {
        return root.getAsJsonArray("daqfabric:fabric").get(0).getAsJsonObject();
    }

    String name() {
        return fabric().get("name").getAsString();
    }

    JsonObject plane(final int id) {
        return entry(fabric(), "plane", is("id", id));
    }

    JsonObject spine(final int plane, final int id) {
        return entry(plane(plane), "spine", is("id", id));
    }

    JsonObject leaf(final int plane, final int pod) {
        return entry(plane(plane), "leaf", is("pod", pod));
    }

    JsonObject pod(final int id) {
        return entry(fabric(), "pod", is("id", id));
    }

    JsonObject ros(final String name) {
        return inPods("ros", name);
    }

    JsonObject rack(final String name) {
        return inPods("hlt-rack", name);
    }

    JsonObject dcm(final String name) {
        return rackOf(name).getAsJsonArray("dcm").asList().stream().map(JsonElement::getAsJsonObject)
            .filter(is("name", name)).findFirst().orElseThrow();
    }

    JsonObject switchNamed(final String name) {
        return entry(fabric(), "switch", is("name", name));
    }

    JsonObject link(final String switchName, final String port) {
        return entry(fabric(), "link", is("switch", switchName).and(is("port", port)));
    }

    /** The links of a switch. */
    List<JsonObject> linksOf(final String switchName) {
        return entries(fabric(), "link").stream()
            .filter(is("switch", switchName).or(is("peer-switch", switchName))).toList();
    }

    FabricFile addLink(final String switchName, final String port, final String peer, final String peerPort) {
        final var link = new JsonObject();
        link.addProperty("switch", switchName);
        link.addProperty("port", port);
        link.addProperty("peer-switch", peer);
        link.addProperty("peer-port", peerPort);
        fabric().getAsJsonArray("link").add(link);
        return this;
    }

    /** Adds a switch, and a link of it to each of some leaves. */
    FabricFile addSwitch(final String name, final String... leaves) {
        final var sw = new JsonObject();
        sw.addProperty("name", name);
        fabric().getAsJsonArray("switch").add(sw);
        for (final var leaf : leaves) {
            addLink(name, "to-" + leaf, leaf, "to-" + name);
        }
        return this;
    }

    /** Adds the only host of a pod that is neither ROS nor DCM. */
    FabricFile addHost(final int pod, final String name, final String address, final String edge) {
        final var host = new JsonObject();
        host.addProperty("name", name);
        host.addProperty("address", address);
        host.addProperty("switch", edge);
        final var hosts = new JsonArray();
        hosts.add(host);
        pod(pod).add("host", hosts);
        return this;
    }

    FabricFile addFlow(final String name, final String from, final String to, final String kind, final String rate) {
        final var flow = new JsonObject();
        flow.addProperty("name", name);
        flow.addProperty("from", from);
        flow.addProperty("to", to);
        flow.addProperty("kind", kind);
        flow.addProperty("rate", rate);
        if (!fabric().has("flow")) {
            fabric().add("flow", new JsonArray());
        }
        fabric().getAsJsonArray("flow").add(flow);
        return this;
    }

    FabricFile removeLink(final String switchName, final String port) {
        remove(fabric(), "link", link(switchName, port));
        return this;
    }

    FabricFile removeSpine(final int plane, final int id) {
        final var spine = spine(plane, id);
        remove(plane(plane), "spine", spine);
        return removeSwitch(spine.get("switch").getAsString());
    }

    FabricFile removeLeaf(final int plane, final int pod) {
        final var leaf = leaf(plane, pod);
        remove(plane(plane), "leaf", leaf);
        return removeSwitch(leaf.get("switch").getAsString());
    }

    FabricFile removeRos(final String name) {
        return removeEdge("ros", name);
    }

    FabricFile removeRack(final String name) {
        return removeEdge("hlt-rack", name);
    }

    FabricFile removeDcm(final String name) {
        remove(rackOf(name), "dcm", dcm(name));
        return this;
    }

    /** Removes a switch and its links, but not what refers to the switch. */
    FabricFile removeSwitch(final String name) {
        remove(fabric(), "switch", switchNamed(name));
        linksOf(name).forEach(link -> remove(fabric(), "link", link));
        return this;
    }

    /** ROS and DCMs by name. */
    SortedMap<String, Host> hosts() {
        final var hosts = new TreeMap<String, Host>();
        for (var pod : entries(fabric(), "pod")) {
            final int id = pod.get("id").getAsInt();
            for (var ros : entries(pod, "ros")) {
                add(hosts, ros, false, id, ros);
            }
            for (var rack : entries(pod, "hlt-rack")) {
                entries(rack, "dcm").forEach(dcm -> add(hosts, dcm, true, id, rack));
            }
        }
        return hosts;
    }

    List<String> switches() {
        return entries(fabric(), "switch").stream().map(each -> each.get("name").getAsString()).toList();
    }

    /** The parts of this file that another lacks, with the lists and keys above them, as for a PATCH. */
    FabricFile differenceTo(final FabricFile other) {
        final var result = copy();
        removeCommon(result.fabric(), other.fabric());
        return result;
    }

    private static void removeCommon(final JsonObject node, final JsonObject other) {
        for (var list : new String[] { "plane", "spine", "leaf", "pod", "ros", "hlt-rack", "dcm", "switch", "link" }) {
            if (node.has(list) && node.get(list).isJsonArray()) {
                final var kept = new JsonArray();
                for (var each : entries(node, list)) {
                    final var known = other.has(list) ? entries(other, list).stream().filter(sameKey(list, each))
                        .findFirst() : java.util.Optional.<JsonObject>empty();
                    if (known.isEmpty()) {
                        kept.add(each);
                    } else if (!known.get().equals(each)) {
                        removeCommon(each, known.get());
                        kept.add(each);
                    }
                }
                node.add(list, kept);
            }
        }
    }

    private static Predicate<JsonObject> sameKey(final String list, final JsonObject entry) {
        return switch (list) {
            case "plane", "spine", "pod" -> is("id", entry.get("id").getAsInt());
            case "leaf" -> is("pod", entry.get("pod").getAsInt());
            case "link" -> is("switch", entry.get("switch").getAsString())
                .and(is("port", entry.get("port").getAsString()));
            default -> is("name", entry.get("name").getAsString());
        };
    }

    static List<JsonObject> entries(final JsonObject node, final String list) {
        return node.has(list) ? StreamSupport.stream(node.getAsJsonArray(list).spliterator(), false)
            .map(JsonElement::getAsJsonObject).toList() : List.of();
    }

    private static void add(final SortedMap<String, Host> hosts, final JsonObject host, final boolean isDcm,
            final int pod, final JsonObject edge) {
        final var name = host.get("name").getAsString();
        hosts.put(name, new Host(name, isDcm, pod, host.get("address").getAsString(),
            edge.get("switch").getAsString()));
    }

    private FabricFile removeEdge(final String list, final String name) {
        final var edge = inPods(list, name);
        for (var pod : entries(fabric(), "pod")) {
            if (pod.has(list)) {
                remove(pod, list, edge);
            }
        }
        return removeSwitch(edge.get("switch").getAsString());
    }

    private JsonObject rackOf(final String dcm) {
        return entries(fabric(), "pod").stream().flatMap(pod -> entries(pod, "hlt-rack").stream())
            .filter(rack -> entries(rack, "dcm").stream().anyMatch(is("name", dcm))).findFirst().orElseThrow();
    }

    private JsonObject inPods(final String list, final String name) {
        return entries(fabric(), "pod").stream().flatMap(pod -> entries(pod, list).stream())
            .filter(is("name", name)).findFirst().orElseThrow(() -> new AssertionError("no " + list + " " + name));
    }

    private static JsonObject entry(final JsonObject node, final String list, final Predicate<JsonObject> key) {
        final var found = new ArrayList<>(entries(node, list));
        found.removeIf(key.negate());
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " such entries of list " + list);
        }
        return found.get(0);
    }

    private static void remove(final JsonObject node, final String list, final JsonObject entry) {
        final var array = node.getAsJsonArray(list);
        for (int index = 0; index < array.size(); index++) {
            if (array.get(index) == entry) {
                array.remove(index);
                return;
            }
        }
    }

    private static Predicate<JsonObject> is(final String leaf, final Object value) {
        return entry -> entry.has(leaf) && entry.get(leaf).getAsString().equals(value.toString());
    }
}
