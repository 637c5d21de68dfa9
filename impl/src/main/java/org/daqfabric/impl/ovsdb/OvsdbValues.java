package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.daqfabric.impl.text.ForeignText;

/**
 * OVSDB's values in JSON (RFC 7047, section 5.1). A value of another form than expected is refused with an
 * {@link IllegalArgumentException}; an absent column reads as the empty set. Texts are read without line ends and
 * control characters, which nothing here needs and which could forge lines of a log.
 */
final class OvsdbValues {
    private OvsdbValues() {
    }

    static JsonArray array(Object... elements) {
        JsonArray array = new JsonArray(elements.length);
        for (Object element : elements) {
            array.add(switch (element) {
                case JsonElement json -> json;
                case String text -> new JsonPrimitive(text);
                case Number number -> new JsonPrimitive(number);
                default -> throw new IllegalArgumentException("no JSON: " + element);
            });
        }
        return array;
    }

    static JsonArray uuid(String uuid) {
        return array("uuid", uuid);
    }

    /** Refers to a row that the same transaction inserts. */
    static JsonArray namedUuid(String name) {
        return array("named-uuid", name);
    }

    static JsonArray set(Collection<? extends JsonElement> elements) {
        JsonArray set = new JsonArray(elements.size());
        elements.forEach(set::add);
        return array("set", set);
    }

    static JsonArray map(Map<String, String> map) {
        JsonArray pairs = new JsonArray(map.size());
        map.forEach((key, value) -> pairs.add(array(key, value)));
        return array("map", pairs);
    }

    static String string(JsonObject row, String column) {
        return optionalString(row, column).orElse("");
    }

    static Optional<String> optionalString(JsonObject row, String column) {
        return elements(row.get(column)).stream().findFirst().map(OvsdbValues::text);
    }

    static OptionalLong integer(JsonObject row, String column) {
        List<JsonElement> elements = elements(row.get(column));
        return elements.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text(elements.get(0))));
    }

    static SortedSet<String> strings(JsonObject row, String column) {
        return sorted(row, column, OvsdbValues::text);
    }

    static SortedSet<String> uuids(JsonObject row, String column) {
        return sorted(row, column, OvsdbValues::uuidOf);
    }

    static SortedMap<String, String> map(JsonObject row, String column) {
        JsonElement value = row.get(column);
        if (value == null) {
            return Collections.emptySortedMap();
        }
        if (!isTagged(value, "map")) {
            throw new IllegalArgumentException(column + " is no map");
        }
        SortedMap<String, String> map = new TreeMap<>();
        for (JsonElement pair : value.getAsJsonArray().get(1).getAsJsonArray()) {
            map.put(text(pair.getAsJsonArray().get(0)), text(pair.getAsJsonArray().get(1)));
        }
        return Collections.unmodifiableSortedMap(map);
    }

    static String uuidOf(JsonElement value) {
        if (!isTagged(value, "uuid")) {
            throw new IllegalArgumentException("no uuid");
        }
        return text(value.getAsJsonArray().get(1));
    }

    private static SortedSet<String> sorted(JsonObject row, String column, Function<JsonElement, String> reading) {
        SortedSet<String> set = new TreeSet<>();
        elements(row.get(column)).forEach(element -> set.add(reading.apply(element)));
        return Collections.unmodifiableSortedSet(set);
    }

    /** The elements of a set; OVSDB writes a set of one as the bare value. */
    private static List<JsonElement> elements(JsonElement value) {
        if (value == null) {
            return List.of();
        }
        if (!isTagged(value, "set")) {
            return List.of(value);
        }
        List<JsonElement> elements = new ArrayList<>();
        value.getAsJsonArray().get(1).getAsJsonArray().forEach(elements::add);
        return elements;
    }

    private static boolean isTagged(JsonElement value, String tag) {
        return value.isJsonArray() && value.getAsJsonArray().size() == 2
            && value.getAsJsonArray().get(0).equals(new JsonPrimitive(tag));
    }

    /** A plain value as text. */
    static String shown(JsonElement value) {
        return text(value);
    }

    private static String text(JsonElement value) {
        if (!value.isJsonPrimitive()) {
            throw new IllegalArgumentException("no plain value");
        }
        return ForeignText.shown(value.getAsString());
    }
}
