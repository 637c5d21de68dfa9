package org.daqfabric.impl.northbound.views;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
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
        ShownFabric view = ShownFabric.of(new GeneratedPorts(spec, random).next(), Map.of());
        JsonObject network = JsonParser.parseString(NetworksDocument.of(view)).getAsJsonObject()
            .getAsJsonObject("ietf-network:networks").getAsJsonArray("network").get(0).getAsJsonObject();
        Set<String> ports = new HashSet<>();
        for (JsonElement node : network.getAsJsonArray("node")) {
            String name = node.getAsJsonObject().get("node-id").getAsString();
            for (JsonElement point : node.getAsJsonObject()
                    .getAsJsonArray("ietf-network-topology:termination-point")) {
                assertThat(ports.add(name + ":" + point.getAsJsonObject().get("tp-id").getAsString())).isTrue();
            }
        }
        assertThat(network.getAsJsonArray("node").size()).isEqualTo(view.switches().size());
        JsonElement links = network.get("ietf-network-topology:link");
        assertThat(links == null ? 0 : links.getAsJsonArray().size()).isEqualTo(view.cables().size());
        Set<Set<String>> declared = new HashSet<>();
        spec.links().forEach(link -> declared.add(Set.of(link.end().toString(), link.peer().toString())));
        if (links != null) {
            links.getAsJsonArray().forEach(each -> {
                JsonObject link = each.getAsJsonObject();
                String from = port(link.getAsJsonObject("source"), "source");
                String to = port(link.getAsJsonObject("destination"), "dest");
                assertThat(link.get("link-id").getAsString()).isEqualTo(from);
                assertThat(ports).contains(from, to);
                assertThat(declared).contains(Set.of(from, to));
            });
        }
    }

    private static String port(JsonObject end, String kind) {
        return end.get(kind + "-node").getAsString() + ":" + end.get(kind + "-tp").getAsString();
    }
}
