package org.daqfabric.it;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * Malformed writes to every node of a running fabric and of others. The request is determined by seed and number.
 */
final class BadRequests {
    /**
     * A request to send.
     *
     * @param number of the request for its seed
     * @param forRunning whether it is for the running fabric, which is changed if it is accepted
     */
    record Request(int number, String method, String path, String type, String body, boolean forRunning) {
        @Override
        public String toString() {
            final var shown = body == null ? "nothing" : body.length() < 1000 ? body
                : body.substring(0, 1000) + "... (" + body.length() + " characters)";
            return "request " + number + ": " + method + " " + path + " (" + type + "): " + shown;
        }
    }

    /**
     * A node of a fabric: its path relative to {@code fabrics}, and its payload with the name that RESTCONF requires.
     */
    private record Node(String path, JsonObject payload) {
    }

    private static final String FABRICS = "data/daqfabric:fabrics";
    private static final String JSON = "application/yang-data+json";
    /** The keys of lists that have another than name. */
    private static final Map<String, List<String>> KEYS = Map.of("plane", List.of("id"), "spine", List.of("id"), "leaf",
        List.of("pod"), "pod", List.of("id"), "link", List.of("switch", "port"));
    private static final List<String> BAD_SEGMENTS = List.of("%00", "%FF%FE", "%E2%82", "%C3%A9", "%2F", "..%2F..",
        "%25", "%20", "%27", "%22", "a,b", ",", "a,b,c", "=", "a=b", "%0A", "-1", "0", "256", "65536", "1e3",
        "x".repeat(65), "x".repeat(5_000), "%F0%9F%98%80", "daqfabric:name", "nobody", "%7B%7D", "*", ";a=b");
    private static final List<String> BAD_QUERIES = List.of("insert=first", "insert=before&point=x", "point=%2F",
        "depth=x", "content=config", "fields=name", "nothing=1", "=", "%00=1", "with-defaults=trim",
        "with-defaults=explicit", "with-defaults=report-all", "fields=nobody");
    private static final List<String> BAD_TYPES = List.of("application/json", "application/xml",
        "application/yang-data+xml", "application/yang-patch+json", "text/plain", "application/x-www-form-urlencoded",
        "x/y", "application/octet-stream", "application/yang-data+json;charset=UTF-16");

    private static final Pattern EMPTY_LIST = Pattern.compile("(\\{\\s*\"[^\"]*\":\\s*)\\[]\\s*}");

    private final long seed;
    private final JsonObject running;
    private final JsonObject other;

    /**
     * Creates the requests of a seed.
     *
     * @param running the running fabric
     * @param other a valid fabric that shares nothing with it
     */
    BadRequests(final long seed, final FabricFile running, final FabricFile other) {
        this.seed = seed;
        this.running = running.fabric();
        this.other = other.fabric();
    }

    /**
     * The request with a number.
     *
     * @param mustRefuse whether the running fabric is only sent what it must refuse
     */
    Request request(final int number, final boolean mustRefuse) {
        final var random = new Random(seed * 1_000_003 + number);
        final var mutator = new JsonMutator(random);
        final boolean forRunning = random.nextInt(3) == 0;
        final var fabric = forRunning ? running.deepCopy() : renamedOther(random.nextInt(6));
        final var nodes = nodes(fabric);
        final boolean whole = forRunning && mustRefuse || random.nextInt(4) == 0;
        final var node = whole ? nodes.get(0) : mutator.pick(nodes);
        final var method = forRunning && whole ? mutator.pick(List.of("PUT", "PATCH"))
            : mutator.pick(List.of("PUT", "PUT", "PUT", "PUT", "PATCH", "PATCH", "PATCH", "POST", "DELETE", "GET"));
        if (method.equals("DELETE") || method.equals("GET")) {
            return new Request(number, method, path(node.path(), random, mutator), JSON, null, forRunning);
        }
        final var payload = node.payload().deepCopy();
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            mutator.mutate(payload);
        }
        if (forRunning && mustRefuse) {
            makeInvalid(payload);
        }
        final boolean wellFormed = random.nextInt(4) > 0;
        if (method.equals("PATCH") && random.nextInt(3) == 0) {
            return new Request(number, "PATCH", FABRICS, "application/yang-patch+json",
                withoutEmptyLists(mutator.text(yangPatch(node, payload, random, mutator), wellFormed)), forRunning);
        }
        final var type = random.nextInt(25) == 0 ? mutator.pick(BAD_TYPES) : JSON;
        if (method.equals("POST") && node == nodes.get(0)) {
            return new Request(number, "POST", "data", type,
                withoutEmptyLists(mutator.text(root(payload), wellFormed)), forRunning);
        }
        final var path = method.equals("POST") ? parent(node.path()) : node.path();
        final var text = mutator.text(payload, wellFormed);
        return new Request(number, method, forRunning && whole ? FABRICS + path : path(path, random, mutator), type,
            method.equals("POST") ? withoutEmptyLists(text) : text, forRunning);
    }

    /** The payload for the root of the datastore. */
    private static JsonObject root(final JsonObject payload) {
        final var root = new JsonObject();
        root.add("daqfabric:fabrics", payload);
        return root;
    }

    /** OpenDaylight never answers a request to create an empty list; that does no harm, but the test would wait. */
    private static String withoutEmptyLists(final String body) {
        return EMPTY_LIST.matcher(body).replaceAll("$1[{}]}");
    }

    /** The other fabric under a new name, on other nodes. */
    private JsonObject renamedOther(final int number) {
        final var fabric = other.deepCopy();
        final var name = "fuzz-" + number;
        fabric.addProperty("name", name);
        for (var each : FabricFile.entries(fabric, "switch")) {
            each.addProperty("system-id", name + "." + each.get("name").getAsString());
            if (each.has("ovsdb-address")) {
                each.addProperty("ovsdb-address", "127.0.1." + number);
            }
        }
        return fabric;
    }

    /** Makes every fabric in the payload invalid by a link to an unknown switch. */
    private static void makeInvalid(final JsonObject payload) {
        if (payload.get("daqfabric:fabric") instanceof JsonArray fabrics) {
            for (var each : fabrics) {
                if (each instanceof JsonObject fabric) {
                    final var link = new JsonObject();
                    link.addProperty("switch", "nobody");
                    link.addProperty("port", "x");
                    link.addProperty("peer-switch", "nobody");
                    link.addProperty("peer-port", "y");
                    final var links = fabric.get("link") instanceof JsonArray array ? array : new JsonArray();
                    links.add(link);
                    fabric.add("link", links);
                }
            }
        }
    }

    private static JsonObject yangPatch(final Node node, final JsonObject payload, final Random random,
            final JsonMutator mutator) {
        final var edit = new JsonObject();
        edit.addProperty("edit-id", "1");
        edit.addProperty("operation",
            mutator.pick(List.of("create", "merge", "replace", "remove", "delete", "insert", "move", "x")));
        edit.addProperty("target", random.nextInt(20) == 0 ? "/" + mutator.pick(BAD_SEGMENTS) : node.path());
        edit.add("value", payload);
        final var edits = new JsonArray();
        edits.add(edit);
        final var patch = new JsonObject();
        patch.addProperty("patch-id", "1");
        patch.add("edit", edits);
        final var body = new JsonObject();
        body.add("ietf-yang-patch:yang-patch", patch);
        if (random.nextInt(5) == 0) {
            mutator.mutate(body);
        }
        return body;
    }

    private static String path(final String path, final Random random, final JsonMutator mutator) {
        final var good = FABRICS + path;
        return switch (random.nextInt(40)) {
            case 0 -> good + "/" + mutator.pick(BAD_SEGMENTS);
            case 1 -> good + "?" + mutator.pick(BAD_QUERIES);
            case 2, 3 -> good.contains("=")
                ? good.substring(0, good.lastIndexOf('=') + 1) + mutator.pick(BAD_SEGMENTS) : good;
            default -> good;
        };
    }

    private static String parent(final String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    /** The fabric and every node below it. */
    private static List<Node> nodes(final JsonObject fabric) {
        final var nodes = new ArrayList<Node>();
        entry("", "fabric", fabric, nodes);
        return nodes;
    }

    private static void entry(final String parent, final String list, final JsonObject entry, final List<Node> nodes) {
        final var keys = new ArrayList<String>();
        KEYS.getOrDefault(list, List.of("name")).forEach(key -> keys.add(URLEncoder.encode(entry.get(key).getAsString(),
            StandardCharsets.UTF_8)));
        final var array = new JsonArray();
        array.add(entry);
        final var path = parent + "/" + list + "=" + String.join(",", keys);
        nodes.add(new Node(path, payload(list, array)));
        children(path, entry, nodes);
    }

    private static void children(final String path, final JsonObject node, final List<Node> nodes) {
        node.asMap().forEach((name, child) -> {
            if (child instanceof JsonArray entries) {
                entries.forEach(each -> entry(path, name, each.getAsJsonObject(), nodes));
            } else {
                nodes.add(new Node(path + "/" + name, payload(name, child)));
                if (child instanceof JsonObject container) {
                    children(path + "/" + name, container, nodes);
                }
            }
        });
    }

    private static JsonObject payload(final String name, final JsonElement value) {
        final var payload = new JsonObject();
        payload.add("daqfabric:" + name, value instanceof JsonPrimitive ? value : value.deepCopy());
        return payload;
    }
}
