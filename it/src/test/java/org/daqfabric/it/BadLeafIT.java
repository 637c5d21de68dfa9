package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A bad value of any leaf of the configuration is refused with a message that names the leaf. */
@ExtendWith(SharedController.class)
class BadLeafIT {
    /** Bad values by type; every leaf of type string has a length, and some a pattern. */
    private static final Map<String, List<String>> BAD_VALUES = Map.ofEntries(
        Map.entry("string", List.of("", "x".repeat(2000))),
        Map.entry("leafref", List.of("nobody")),
        Map.entry("uint8", List.of("0", "256", "-1", "1.5", "x", "")),
        Map.entry("uint16", List.of("0", "65536", "-1", "1.5", "x", "")),
        Map.entry("uint32", List.of("4294967296", "2000000", "-1", "1.5", "x", "")),
        Map.entry("inet:port-number", List.of("0", "65536", "-1", "x")),
        Map.entry("decimal64", List.of("0", "-1", "1000001", "0.0000001", "1e3", "NaN", "x", "")),
        Map.entry("boolean", List.of("maybe", "1", "TRUE", "")),
        Map.entry("enumeration", List.of("nonsense", "", "IN-SERVICE")),
        Map.entry("host-address", List.of("10.1.2", "10.1.2.256", "10.1.2.3/32", "fd00", "fd00::1::2", "fd00::10000",
            "fd00::1%eth0", "::ffff:10.1.2.3", "", "224.0.0.1", "::1", "fe80::1", "ff02::1")),
        Map.entry("inet:host", List.of("a b", "", "%%")),
        Map.entry("yang:mac-address", List.of("02:00", "", "x", "ff:ff:ff:ff:ff:ff")));

    /**
     * Refusals by OpenDaylight while it parses the body. These messages of its codec name no leaf, but the value or the
     * expected values.
     */
    private static final List<Pattern> MESSAGES_WITHOUT_LEAF = Stream.of(
        "Error parsing input: java.lang.NumberFormatException: .+",
        "Error parsing input: Value '.*' does not match required fraction-digits",
        "Error parsing input: .*for boolean type. Allowed values are 'true' and 'false'",
        "Error parsing input: Invalid value '.*' for enum type. Allowed values are: .*",
        "Error parsing input: Invalid value \".*\" for union type.",
        "Error parsing input: Invalid range: .*, expected: ").map(Pattern::compile).toList();

    private static FabricFile good;

    @BeforeAll
    static void describe(final Lab lab) {
        good = FuzzIT.withEveryLeaf(lab.generate("badleaf",
            "--planes 1 --spines 1 --pods 1 --ros 1 --racks 1 --dcms 1"));
    }

    static Stream<Arguments> leaves() {
        return YangLeaves.ofFabric().stream().flatMap(leaf -> BAD_VALUES.get(leaf.type()).stream()
            .map(value -> Arguments.of(leaf, value.length() > 40 ? value.substring(0, 40) : value, value)));
    }

    @ParameterizedTest(name = "{0} = \"{1}\"")
    @MethodSource("leaves")
    void badLeafIsNamed(final YangLeaves.Leaf leaf, final String shown, final String value, final Restconf restconf) {
        final var bad = good.copy();
        final var node = parent(bad.fabric(), leaf);
        node.add(leaf.name(), new JsonPrimitive(value));

        final var path = "data/daqfabric:fabrics/fabric=" + good.name();
        final var answer = restconf.put(path, bad.json());
        if (answer.status() < 300) {
            restconf.delete(path);
        }
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        final var message = answer.errors();
        assertThat(names(message, leaf) || MESSAGES_WITHOUT_LEAF.stream()
            .anyMatch(kind -> kind.matcher(message).find()))
            .as(message).isTrue();
    }

    /** A message names a leaf by its name or the last word of it; an id, by the name of its list. */
    private static boolean names(final String message, final YangLeaves.Leaf leaf) {
        final var name = leaf.name().equals("id") ? leaf.path().get(leaf.path().size() - 2) : leaf.name();
        final var words = message.toLowerCase(Locale.ROOT).replace('-', ' ');
        return words.contains(name.replace('-', ' ')) || words.contains(name.substring(name.lastIndexOf('-') + 1));
    }

    /** The node with the leaf, in the first entry of each list. Containers that the good fabric has not are added. */
    private static JsonObject parent(final JsonObject fabric, final YangLeaves.Leaf leaf) {
        JsonElement node = fabric;
        for (var name : leaf.path().subList(0, leaf.path().size() - 1)) {
            if (!node.getAsJsonObject().has(name)) {
                node.getAsJsonObject().add(name, new JsonObject());
            }
            node = node.getAsJsonObject().get(name);
            if (node.isJsonArray()) {
                node = node.getAsJsonArray().get(0);
            }
        }
        return node.getAsJsonObject();
    }
}
