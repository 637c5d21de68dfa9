package org.daqfabric.impl.northbound.views;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The export by RFC 8345; an integration test validates it by the published models. */
class NetworksDocumentTest {
    /** Links lead between ports that are there, which the models do not require, and all have their names. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void linksLeadBetweenPortsThatAreThere(long seed) {
        Random random = new Random(seed);
        FabricSpec spec = TestFabrics.generated(random);
        GeneratedPorts ports = new GeneratedPorts(spec, random);
        // some have no link that is up
        ShownFabric view = Stream.generate(() -> ShownFabric.of(ports.next(), Map.of())).limit(100)
            .filter(each -> !each.cables().isEmpty()).findFirst().orElseThrow();
        JsonObject network = JsonParser.parseString(NetworksDocument.of(view)).getAsJsonObject()
            .getAsJsonObject("ietf-network:networks").getAsJsonArray("network").get(0).getAsJsonObject();
        Set<String> there = new HashSet<>();
        for (JsonElement node : network.getAsJsonArray("node")) {
            String name = node.getAsJsonObject().get("node-id").getAsString();
            for (JsonElement point : node.getAsJsonObject()
                    .getAsJsonArray("ietf-network-topology:termination-point")) {
                assertThat(there.add(name + ":" + point.getAsJsonObject().get("tp-id").getAsString())).isTrue();
            }
        }
        assertThat(network.getAsJsonArray("node").size()).isEqualTo(view.switches().size());
        var links = network.getAsJsonArray("ietf-network-topology:link");
        assertThat(links.size()).isEqualTo(view.cables().size());
        Set<Set<String>> declared = new HashSet<>();
        spec.links().forEach(link -> declared.add(Set.of(link.end().toString(), link.peer().toString())));
        links.forEach(each -> {
            JsonObject link = each.getAsJsonObject();
            String from = port(link.getAsJsonObject("source"), "source");
            String to = port(link.getAsJsonObject("destination"), "dest");
            assertThat(link.get("link-id").getAsString()).isEqualTo(from);
            assertThat(there).contains(from, to);
            assertThat(declared).contains(Set.of(from, to));
        });
    }

    private static String port(JsonObject end, String kind) {
        return end.get(kind + "-node").getAsString() + ":" + end.get(kind + "-tp").getAsString();
    }
}
