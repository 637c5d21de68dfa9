package org.daqfabric.it.sim;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** OVSDB values as JSON (RFC 7047, section 5.1). */
final class Json {
    static final JsonElement EMPTY_SET = tagged("set", new JsonArray());
    static final JsonElement EMPTY_MAP = tagged("map", new JsonArray());

    private Json() {
    }

    static JsonArray array(final JsonElement... elements) {
        final var array = new JsonArray(elements.length);
        for (var each : elements) {
            array.add(each);
        }
        return array;
    }

    static JsonPrimitive text(final String text) {
        return new JsonPrimitive(text);
    }

    static JsonElement uuid(final String uuid) {
        return tagged("uuid", text(uuid));
    }

    /** A set; a set of one element is that element. */
    static JsonElement set(final Collection<? extends JsonElement> elements) {
        if (elements.size() == 1) {
            return elements.iterator().next();
        }
        final var list = new JsonArray(elements.size());
        elements.forEach(list::add);
        return tagged("set", list);
    }

    static JsonElement texts(final Collection<String> elements) {
        return set(elements.stream().map(Json::text).toList());
    }

    static JsonElement map(final Map<JsonElement, JsonElement> entries) {
        final var list = new JsonArray(entries.size());
        entries.forEach((key, value) -> list.add(array(key, value)));
        return tagged("map", list);
    }

    static JsonElement textMap(final Map<String, String> entries) {
        final Map<JsonElement, JsonElement> all = new LinkedHashMap<>();
        entries.forEach((key, value) -> all.put(text(key), text(value)));
        return map(all);
    }

    /** The elements of a set; a single value is a set of one. */
    static List<JsonElement> elements(final JsonElement value) {
        return isTagged(value, "set") ? value.getAsJsonArray().get(1).getAsJsonArray().asList() : List.of(value);
    }

    static Map<JsonElement, JsonElement> entries(final JsonElement map) {
        final Map<JsonElement, JsonElement> entries = new LinkedHashMap<>();
        for (var each : map.getAsJsonArray().get(1).getAsJsonArray()) {
            entries.put(each.getAsJsonArray().get(0), each.getAsJsonArray().get(1));
        }
        return entries;
    }

    static Map<String, String> texts(final JsonElement map) {
        return entries(map).entrySet().stream().collect(Collectors.toMap(each -> each.getKey().getAsString(),
            each -> each.getValue().getAsString()));
    }

    static boolean isMap(final JsonElement value) {
        return isTagged(value, "map");
    }

    static String uuidOf(final JsonElement value) {
        return value.getAsJsonArray().get(1).getAsString();
    }

    static boolean isTagged(final JsonElement value, final String tag) {
        return value.isJsonArray() && value.getAsJsonArray().size() == 2
            && value.getAsJsonArray().get(0).isJsonPrimitive()
            && value.getAsJsonArray().get(0).getAsString().equals(tag);
    }

    private static JsonArray tagged(final String tag, final JsonElement value) {
        return array(text(tag), value);
    }
}
