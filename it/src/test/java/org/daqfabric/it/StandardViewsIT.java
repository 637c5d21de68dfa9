package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The fabric in models that others know, on real switches. */
@ExtendWith(SharedController.class)
class StandardViewsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    /** Open vSwitch renews its statistics in this time. */
    private static final Duration RENEWED = Duration.ofSeconds(6);
    private static final Pattern PORT = Pattern.compile("^ *(LOCAL|[0-9]+)\\(([^)]+)\\): addr");

    /** Views agree with what the switches say, follow a cut, and go with the fabric. */
    @Test
    void viewsAgreeWithSwitches(final Distribution controller, final Lab lab) throws Exception {
        final var fabric = lab.converged(
            lab.generate("views", "--planes 2 --spines 1 --pods 1 --ros 1 --racks 1 --dcms 2"));
        final var views = new StandardViews(controller.restconf(), fabric.name());
        final var ids = StandardViews.ids(fabric.state());
        final var links = FabricFile.entries(fabric.file().fabric(), "link").size();
        await("all links").atMost(TIMEOUT).until(() -> views.links().size() == 2 * links);
        final var topology = views.topology();
        assertThat(StandardViews.points(topology).keySet()).isEqualTo(Set.copyOf(ids.values()));
        assertThat(TopologyEnds.dangling(topology)).isEmpty();
        await("all switches").atMost(TIMEOUT).untilAsserted(() ->
            assertThat(StandardViews.nodes(controller.restconf()).keySet()).containsAll(ids.values()));

        final var leaf = ids.get("p1l1");
        final var before = fabric.portCounters("p1l1");
        final var renewed = Instant.now().plus(RENEWED);
        fabric.assertAllReachable();
        await("counters that were read since").atMost(TIMEOUT).until(() -> views.read(leaf).isAfter(renewed));
        final var shown = views.ports(leaf);
        final var after = fabric.portCounters("p1l1");
        final var names = new TreeMap<String, String>();
        shown.forEach((number, port) -> names.put(number, port.name()));
        assertThat(names).isEqualTo(portNames(fabric, "p1l1"));
        assertThat(shown.values()).allMatch(StandardViews.Port::live);
        assertThat(after.keySet()).isEqualTo(shown.keySet());
        assertThat(shown.values()).anySatisfy(port -> assertThat(port.counters()).isNotEmpty());
        shown.forEach((number, port) -> assertThat(port.counters()).as(number).allSatisfy((name, value) ->
            assertThat(value).isBetween(before.get(number).get(name), after.get(number).get(name))));

        assertRulesAgree(fabric, views);
        assertValid(views);

        final var cut = ids.get("p1l1") + ":" + number(shown, "to-p1s1");
        fabric.daqlab("cut", "p1l1", "to-p1s1");
        await("no link from " + cut).atMost(TIMEOUT).pollInterval(Duration.ofMillis(50))
            .until(() -> views.links().stream().noneMatch(link -> List.of(link.split(" ")).contains(cut)));
        assertThat(views.links()).hasSize(2 * links - 2);
        await("the port in the inventory").atMost(TIMEOUT)
            .until(() -> !views.ports(leaf).get(number(shown, "to-p1s1")).live());
        fabric.restore("p1l1", "to-p1s1");
        await("all links again").atMost(TIMEOUT).until(() -> views.links().size() == 2 * links);

        fabric.delete();
        await("no views").atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(views.topology().entrySet()).isEmpty();
            assertThat(StandardViews.nodes(controller.restconf()).keySet()).doesNotContainAnyElementsOf(ids.values());
        });
    }

    private static String number(final SortedMap<String, StandardViews.Port> ports, final String name) {
        return ports.entrySet().stream().filter(port -> port.getValue().name().equals(name)).findFirst().orElseThrow()
            .getKey();
    }

    /** The names of a switch's ports by their numbers, as {@code ovs-ofctl} tells them. */
    private static SortedMap<String, String> portNames(final LabFabric fabric, final String switchName) {
        final var names = new TreeMap<String, String>();
        fabric.ofctl(switchName, "show").lines().map(PORT::matcher).filter(Matcher::find)
            .forEach(found -> names.put(found.group(1), found.group(2)));
        return names;
    }

    /** The rpc shows what the switch holds, and what has been taken from it. */
    private static void assertRulesAgree(final LabFabric fabric, final StandardViews views) {
        final var contents = fabric.contents("p1l1");
        final var all = views.ask("rules", Map.of("switch", "p1l1"));
        assertThat(all.get("differences").getAsInt()).isZero();
        assertThat(cookies(contents.rules().keySet().stream())).isEqualTo(cookies(
            FabricFile.entries(all, "rule").stream().map(rule -> "cookie=" + rule.get("cookie").getAsString() + ",")));
        assertThat(FabricFile.entries(all, "group")).hasSize(contents.groups().size());
        assertThat(all.get("entries").getAsInt()).isEqualTo(contents.texts().size());

        final var page = views.ask("rules", Map.of("switch", "p1l1", "offset", "1", "limit", "2"));
        assertThat(FabricFile.entries(page, "rule")).isEqualTo(FabricFile.entries(
            views.ask("rules", Map.of("switch", "p1l1")), "rule").subList(1, 3));

        // it is restored immediately, so that it may be there again before it is asked for
        await("a missing rule").atMost(TIMEOUT).untilAsserted(() -> {
            fabric.ofctl("p1l1", "del-flows", "ip,nw_dst=10.2.1.1");
            final var one = views.ask("rules", Map.of("switch", "p1l1", "address", "10.2.1.1"));
            assertThat(FabricFile.entries(one, "rule"))
                .filteredOn(rule -> rule.get("state").getAsString().equals("missing")).singleElement()
                .satisfies(rule -> {
                    assertThat(rule.get("match").getAsString()).contains("nw_dst=10.2.1.1");
                    assertThat(rule.has("installed")).isFalse();
                });
        });
        fabric.resync("p1l1");
    }

    private static Set<String> cookies(final Stream<String> rules) {
        final var cookie = Pattern.compile("cookie=(0x[0-9a-f]+),");
        return rules.flatMap(rule -> cookie.matcher(rule).results()).map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The export is valid by the models of RFC 8345, and leads nowhere else, which they do not demand. */
    private static void assertValid(final StandardViews views) throws IOException {
        final var document = views.ask("export-topology", Map.of()).get("document").getAsString();
        final var network = JsonParser.parseString(document).getAsJsonObject()
            .getAsJsonObject("ietf-network:networks").getAsJsonArray("network").get(0).getAsJsonObject();
        assertThat(network.getAsJsonArray("ietf-network-topology:link").size()).isEqualTo(views.links().size());
        assertThat(TopologyEnds.dangling(network)).isEmpty();
        final var file = Files.createTempFile("networks", ".json");
        try {
            Files.writeString(file, document);
            final var models = models();
            Processes.run(List.of("yanglint", "-t", "config", "-p", models.toString(), models + "/ietf-network.yang",
                models + "/ietf-network-topology.yang", file.toString())).orFail();
        } finally {
            Files.delete(file);
        }
    }

    /** The IETF's models, which pyang brings. */
    private static Path models() throws IOException {
        try (var tools = Files.list(Distribution.projectRoot().resolve(".cache"))) {
            return tools.map(folder -> folder.resolve("share/yang/modules/ietf"))
                .filter(folder -> Files.exists(folder.resolve("ietf-network-topology.yang"))).findFirst()
                .orElseThrow(() -> new AssertionError("no models of the IETF: run scripts/setup tests"));
        }
    }
}
