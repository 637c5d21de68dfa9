package org.daqfabric.it;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * Calls of every rpc of ours with inputs that are as its model wants them, almost so, or not at all, in JSON and XML. A
 * call is determined by seed and number; consecutive numbers go round all rpcs, then the kinds of inputs, then the
 * formats.
 */
final class RpcRequests {
    /** How an input is made. */
    enum Input { VALID, ALMOST, WILD }

    /** A call to send. */
    record Request(int number, YangRpcs.Rpc rpc, Input input, String type, String body) {
        @Override
        public String toString() {
            return "call " + number + ": " + rpc + " (" + input + ", " + type + "): " + (body.length() < 1000 ? body
                : body.substring(0, 1000) + "... (" + body.length() + " characters)");
        }
    }

    static final String JSON = "application/yang-data+json";
    static final String XML = "application/yang-data+xml";
    /** For how long an rpc measures: no request waits that long. */
    private static final List<String> SECONDS = List.of("seconds", "measured-weights");
    /** Most rpcs that have these need them. */
    private static final List<String> OFTEN = List.of("fabric", "request-id", "partition", "backup", "resource",
        "run-number");
    private static final List<String> EDGES = List.of("-1", "0", "1", "255", "256", "65535", "65536", "4294967295",
        "4294967296", "18446744073709551615", "18446744073709551616", "-9223372036854775809", "1e3", "1e400",
        "0.0000000001", "NaN", "", "01", "+1", "0x10", "1 ", "\u0661");
    private static final List<String> TEXTS = List.of("", " ", "nobody", "x".repeat(64), "x".repeat(65),
        "x".repeat(5_000), "a\nb", "a/b", "a'b\"c", "\u6f22\ud83d\ude00", "../..", "%s%n", "${jndi:x}", "1-", "\u202e",
        "true");

    private final long seed;
    private final JsonObject fabric;
    private final List<YangRpcs.Rpc> rpcs = YangRpcs.all();
    /** What leaves of the fabric are, by their names. */
    private final Map<String, List<String>> known = new HashMap<>();

    /**
     * Creates the calls of a seed.
     *
     * @param running the fabric that they are about
     * @param backup what rpc backup returned
     */
    RpcRequests(final long seed, final FabricFile running, final String backup) {
        this.seed = seed;
        fabric = running.fabric();
        learn(fabric);
        final var name = fabric.get("name").getAsString();
        known.put("fabric", List.of(name));
        known.put("resource", List.of("fabric/" + name, "fabric/" + name + "/switch/p1l1"));
        known.put("backup", List.of(backup));
        known.put("partition", List.of("fuzz-a", "fuzz-b"));
        final var ros = new ArrayList<String>();
        final var dcms = new ArrayList<String>();
        for (var pod : FabricFile.entries(fabric, "pod")) {
            FabricFile.entries(pod, "ros").forEach(each -> ros.add(each.get("name").getAsString()));
            FabricFile.entries(pod, "hlt-rack").forEach(rack -> FabricFile.entries(rack, "dcm")
                .forEach(each -> dcms.add(each.get("name").getAsString())));
        }
        known.put("ros", ros);
        known.put("dcm", dcms);
    }

    /** How many calls it takes to give every rpc an input of each kind in each format. */
    int round() {
        return rpcs.size() * Input.values().length * 2;
    }

    List<YangRpcs.Rpc> rpcs() {
        return rpcs;
    }

    Request request(final int number) {
        final var random = new Random(seed * 1_000_003 + number);
        final var mutator = new JsonMutator(random);
        final var rpc = rpcs.get(number % rpcs.size());
        final var kind = Input.values()[number / rpcs.size() % Input.values().length];
        final boolean json = number / rpcs.size() / Input.values().length % 2 == 0;
        final var body = new JsonObject();
        body.add("input", valid(rpc.input(), random, mutator));
        if (kind == Input.ALMOST) {
            spoil(body, random, mutator);
        }
        for (int left = kind == Input.WILD ? 1 + random.nextInt(3) : 0; left > 0; left--) {
            mutator.mutate(body);
        }
        final boolean whole = kind != Input.WILD || random.nextBoolean();
        return new Request(number, rpc, kind, json ? JSON : XML, json ? mutator.text(body, whole)
            : whole ? XmlText.of(rpc.namespace(), body) : XmlText.damaged(rpc.namespace(), body, random));
    }

    private void learn(final JsonElement json) {
        if (json instanceof JsonObject object) {
            object.asMap().forEach((key, value) -> {
                if (value instanceof JsonPrimitive text) {
                    known.computeIfAbsent(key, name -> new ArrayList<>()).add(text.getAsString());
                }
                learn(value);
            });
        } else if (json instanceof JsonArray array) {
            array.forEach(this::learn);
        }
    }

    /** As the model wants it, though what it names may not be there. */
    private JsonObject valid(final List<YangRpcs.Node> nodes, final Random random, final JsonMutator mutator) {
        final var object = new JsonObject();
        for (var node : nodes) {
            if (node.name().equals("candidate") && random.nextInt(3) > 0) {
                final var candidate = fabric.deepCopy();
                candidate.asMap().keySet().removeIf(key -> node.children().stream()
                    .noneMatch(child -> child.name().equals(key)));
                object.add(node.name(), candidate);
            } else if (random.nextInt(100) < (OFTEN.contains(node.name()) ? 95 : 50)) {
                object.add(node.name(), valid(node, random, mutator));
            }
        }
        return object;
    }

    private JsonElement valid(final YangRpcs.Node node, final Random random, final JsonMutator mutator) {
        return switch (node.kind()) {
            case LEAF -> leaf(node, random, mutator);
            case CONTAINER -> valid(node.children(), random, mutator);
            case LEAF_LIST, LIST -> {
                final var entries = new JsonArray();
                for (int left = 1 + random.nextInt(3); left > 0; left--) {
                    final var entry = node.kind() == YangRpcs.Kind.LIST ? valid(node.children(), random, mutator)
                        : leaf(node, random, mutator);
                    if (!entries.contains(entry)) {
                        entries.add(entry);
                    }
                }
                yield entries;
            }
        };
    }

    private JsonElement leaf(final YangRpcs.Node node, final Random random, final JsonMutator mutator) {
        final var type = node.type();
        return switch (type.base()) {
            case "boolean" -> new JsonPrimitive(random.nextBoolean());
            case "enumeration" -> new JsonPrimitive(mutator.pick(type.words()));
            case "empty" -> {
                final var empty = new JsonArray();
                empty.add(JsonNull.INSTANCE);
                yield empty;
            }
            case "whole-number", "uint8", "uint16", "uint32" -> new JsonPrimitive(SECONDS.contains(node.name()) ? 0
                : whole(type, random));
            case "uint64" -> new JsonPrimitive(Long.toString(whole(type, random)));
            case "real-number", "decimal64" -> new JsonPrimitive(type.least() == null ? "1.5"
                : type.least().add(new BigDecimal(whole(type, random)).subtract(type.least()).max(BigDecimal.ZERO))
                    .stripTrailingZeros().toPlainString());
            case "string", "leafref" -> new JsonPrimitive(node.name().equals("request-id")
                ? new UUID(random.nextLong(), random.nextLong()).toString()
                : mutator.pick(known.getOrDefault(node.name(), known.get("name"))));
            case "inet:host", "inet:ipv4-address", "inet:ip-address" ->
                new JsonPrimitive("10.1." + random.nextInt(256) + "." + random.nextInt(256));
            case "inet:ipv4-prefix" -> new JsonPrimitive("10.1." + random.nextInt(256) + ".0/24");
            case "inet:port-number" -> new JsonPrimitive(1 + random.nextInt(65535));
            case "yang:mac-address" -> new JsonPrimitive("02:00:00:00:00:%02x".formatted(random.nextInt(256)));
            case "yang:date-and-time" -> new JsonPrimitive("2026-11-26T05:00:00Z");
            default -> throw new IllegalStateException("no rpc had a leaf of type " + type.base() + " yet, as "
                + node.name() + ": make values of it here");
        };
    }

    /** Mostly small: rpcs compute what they are asked. */
    private static long whole(final YangRpcs.Type type, final Random random) {
        final long least = type.least() == null ? 0 : type.least().setScale(0, RoundingMode.CEILING).longValue();
        final long most = type.most() == null ? 255 : type.most().longValue();
        return switch (random.nextInt(10)) {
            case 0 -> least;
            case 1 -> most;
            default -> least + random.nextLong(Math.clamp(most - least, 0, 20) + 1);
        };
    }

    /** Changes one thing so that it may not be as the model, or the rpc, wants it. */
    private void spoil(final JsonObject body, final Random random, final JsonMutator mutator) {
        final var objects = new ArrayList<JsonObject>();
        objects(body.getAsJsonObject("input"), objects);
        final var object = mutator.pick(objects);
        if (object.isEmpty()) {
            object.addProperty("nobody", 1);
            return;
        }
        final var key = mutator.pick(List.copyOf(object.keySet()));
        final var value = object.get(key);
        switch (random.nextInt(10)) {
            case 0 -> object.remove(key);
            case 1 -> object.addProperty("nobody", 1);
            case 2 -> object.add("daqfabric:" + key, object.remove(key));
            case 3 -> object.add(key, JsonNull.INSTANCE);
            case 4 -> object.add(key, new JsonArray());
            case 5 -> object.add(key, new JsonObject());
            case 6 -> {
                final var twice = new JsonArray();
                twice.add(value.deepCopy());
                twice.add(value.deepCopy());
                object.add(key, twice);
            }
            case 7 -> object.addProperty(key, mutator.pick(TEXTS));
            default -> object.addProperty(key, mutator.pick(EDGES));
        }
    }

    private static void objects(final JsonElement json, final List<JsonObject> found) {
        if (json instanceof JsonObject object) {
            found.add(object);
            object.asMap().values().forEach(each -> objects(each, found));
        } else if (json instanceof JsonArray array) {
            array.forEach(each -> objects(each, found));
        }
    }
}
