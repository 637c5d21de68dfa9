package org.daqfabric.it;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Mutates JSON for fuzzing: its structure and sometimes its text. The same random numbers give the same result. */
final class JsonMutator {
    /** Raw text in place of a JSON value, which a {@link JsonElement} cannot hold. */
    private static final Pattern RAW = Pattern.compile("\"raw<<(.*?)>>\"", Pattern.DOTALL);
    private static final List<String> RAW_VALUES = List.of("NaN", "-Infinity", "1e400", "-1e-400", "01", "+1", "0x10",
        "1.", ".5", "--1", "tru", "undefined", "\"\\ud800\"", "\"\\u0000\"", "\"\\x\"", "'single'", "[,]", "{,}",
        "[".repeat(10_000), "[".repeat(5_000) + "]".repeat(5_000), "{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000),
        "99999999999999999999999999999999999999999999", "1".repeat(5_000), "0." + "0".repeat(5_000) + "1");
    private static final List<String> STRINGS = List.of("", " ", "0", "-1", "1", "2", "255", "256", "65535", "65536",
        "4294967295", "4294967296", "9223372036854775808", "-0", "1.5", "1e3", "NaN", "Infinity", "null", "true",
        "x".repeat(65), "x".repeat(100_000), "\u0000", "a\nb", "\u001b[31m", "\u00e9\u6f22\ud83d\ude00\u202e", "\ufeff",
        "'", "\"", "']/..", "%s%n%d", "${jndi:x}", "../../..", "a:b", "daqfabric:name", "LOCAL", "br-daq", "nobody",
        "0.0.0.0", "255.255.255.255", "10.1.1.1", "10.1.1.256", "1.2.3", "::1", "fe80::1%eth0", "00:00:00:00:00:00",
        "ff:ff:ff:ff:ff:ff", "drained", "none", "system");
    private static final List<String> NAMES = List.of("", "x", "nobody:name", "daqfabric:name", "@name", "NAME", "name",
        "id", "switch", "link", "pod", "plane", "policy", "port", "mac", "x".repeat(100_000), "\u0000", "a b", "a/b",
        "\u6f22", "fabric", "daqfabric:fabrics", "ietf-restconf:data");

    private final Random random;

    JsonMutator(final Random random) {
        this.random = random;
    }

    /** Changes the structure at one place in an object. */
    void mutate(final JsonObject root) {
        final var places = new ArrayList<JsonElement>();
        collect(root, places);
        final var place = pick(places);
        if (place instanceof JsonObject object && !object.isEmpty()) {
            mutate(object, pick(List.copyOf(object.keySet())), places);
        } else if (place instanceof JsonArray array && !array.isEmpty()) {
            mutate(array, random.nextInt(array.size()), places);
        }
    }

    private void mutate(final JsonObject object, final String key, final List<JsonElement> places) {
        switch (random.nextInt(8)) {
            case 0 -> object.remove(key);
            case 1 -> object.add(pick(NAMES), object.remove(key));
            case 2 -> object.add(pick(NAMES), object.get(key).deepCopy());
            case 3 -> object.add(key, sameKeyElsewhere(key, places));
            default -> object.add(key, otherValue(object.get(key), places));
        }
    }

    private void mutate(final JsonArray array, final int index, final List<JsonElement> places) {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> array.remove(index);
            case 4, 5, 6, 7 -> array.add(array.get(index).deepCopy());
            case 8 -> multiply(array, array.get(index), array.get(index).toString().length() < 300 ? 3_000 : 20);
            case 9, 10 -> multiply(array, array.get(index), 20);
            default -> array.set(index, otherValue(array.get(index), places));
        }
    }

    /** Another value: of another type, from another place, or an extreme one. */
    private JsonElement otherValue(final JsonElement value, final List<JsonElement> places) {
        return switch (random.nextInt(12)) {
            case 0 -> JsonNull.INSTANCE;
            case 1 -> new JsonObject();
            case 2 -> new JsonArray();
            case 3 -> array(value.deepCopy());
            case 4 -> object(pick(NAMES), value.deepCopy());
            case 5 -> new JsonPrimitive(random.nextBoolean());
            case 6 -> pick(places).deepCopy();
            case 7 -> new JsonPrimitive("raw<<" + pick(RAW_VALUES) + ">>");
            case 8 -> new JsonPrimitive(random.nextInt(70_000) - 2_000);
            case 9 -> new JsonPrimitive(random.nextGaussian() * Math.pow(10, random.nextInt(20) - 8));
            default -> new JsonPrimitive(pick(STRINGS));
        };
    }

    /** The value of the same key at another place, such as a reference to another entry. */
    private JsonElement sameKeyElsewhere(final String key, final List<JsonElement> places) {
        final var found = new ArrayList<JsonElement>();
        for (var each : places) {
            if (each instanceof JsonObject object && object.has(key)) {
                found.add(object.get(key).deepCopy());
            }
        }
        return pick(found);
    }

    private void multiply(final JsonArray array, final JsonElement entry, final int times) {
        for (int index = 0; index < times; index++) {
            final var copy = entry.deepCopy();
            if (copy instanceof JsonObject object && !object.isEmpty()) {
                final var key = object.keySet().iterator().next();
                object.addProperty(key, object.get(key).toString().replaceAll("\\W", "") + index);
            }
            array.add(copy);
        }
    }

    /** The text of the JSON, usually damaged unless it must be whole. */
    String text(final JsonElement json, final boolean whole) {
        final var text = RAW.matcher(json.toString()).replaceAll(raw ->
            Matcher.quoteReplacement(raw.group(1).replace("\\\"", "\"").replace("\\\\", "\\")));
        if (whole || text.isEmpty()) {
            return text;
        }
        final int at = random.nextInt(text.length());
        return switch (random.nextInt(7)) {
            case 0 -> text.substring(0, at);
            case 1 -> text.substring(at);
            case 2 -> text.substring(0, at) + pick(List.of("{", "}", "[", "]", ",", ":", "\"", "\\", "\u0000"))
                + text.substring(at);
            case 3 -> text.substring(0, at) + text.substring(Math.min(text.length(), at + 1));
            case 4 -> text + pick(List.of("x", text, "}", "\u0000", "<fabric/>"));
            // a duplicate name in one object
            case 5 -> text.replaceFirst("\\{(\"[^\"]*\":)(\"[^\"]*\"|[0-9]+),", "{$1$2,$1$2,");
            default -> pick(List.of("", " ", "{", "[]", "{}", "null", "0", "\"x\"", "\ufeff" + text, "<fabric/>",
                "\u0000", "{\"daqfabric:fabric\":[]}", "{\"daqfabric:fabric\":null}", "{\"nobody:fabric\":[]}",
                "[".repeat(100_000), "\"" + "x".repeat(100_000)));
        };
    }

    <T> T pick(final List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static void collect(final JsonElement json, final List<JsonElement> places) {
        places.add(json);
        if (json instanceof JsonObject object) {
            object.asMap().values().forEach(each -> collect(each, places));
        } else if (json instanceof JsonArray array) {
            array.forEach(each -> collect(each, places));
        }
    }

    private static JsonArray array(final JsonElement value) {
        final var array = new JsonArray();
        array.add(value);
        return array;
    }

    private static JsonObject object(final String key, final JsonElement value) {
        final var object = new JsonObject();
        object.add(key, value);
        return object;
    }
}
