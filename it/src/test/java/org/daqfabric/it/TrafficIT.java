package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What links carry and ROS send, beside what is sent. */
@ExtendWith(SharedController.class)
class TrafficIT {
    private static final String DCM = "h2-1d1";
    private static final String RATE = "2000";
    private static final Duration SECONDS = Duration.ofSeconds(25);

    /** ROS of both pods send to one DCM alone, so that its rack's link carries more than any other. */
    @Test
    void whatIsSentIsMeasured(final Distribution controller, final Lab lab) {
        final var fabric = lab.converged(lab.generate("traffic",
            "--planes 2 --spines 2 --pods 2 --ros 2 --racks 2 --dcms 2"));
        // what hosts have sent to bring the fabric up is counted when the datapaths have told it
        await("counters that stand still").atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofSeconds(2))
            .until(() -> pairs(traffic(controller, fabric, 2)).isEmpty());
        final var before = pairs(traffic(controller, fabric, 0));
        final var probe = CompletableFuture.supplyAsync(() -> probe(fabric));

        // while it runs
        await("rates of links").atMost(SECONDS).pollInterval(Duration.ofSeconds(1)).untilAsserted(() ->
            assertThat(fullest(fabric.state()).get("measured").getAsDouble()).isGreaterThan(0.001));
        final var running = traffic(controller, fabric, 3);
        assertThat(pairs(running)).containsOnlyKeys("r1-1 " + DCM, "r1-2 " + DCM, "r2-1 " + DCM);
        final var measured = running.getAsJsonObject("measured");
        final var fullest = fullest(fabric.state()).get("from").getAsString();
        assertThat(measured.get("bottleneck").getAsString()).startsWith(fullest + " -> h2-1:to-");
        assertThat(measured.get("bandwidth").getAsDouble())
            .isLessThanOrEqualTo(measured.get("bandwidth-if-configured").getAsDouble());
        assertThat(FabricFile.entries(running, "ros")).extracting(each -> each.get("name").getAsString() + " "
            + (each.get("weight").getAsDouble() > 1)).containsExactlyInAnyOrder("r1-1 true", "r1-2 true", "r2-1 true",
                "r2-2 false");
        try (var shell = new Shell(controller)) {
            final var first = shell.run("daqfabric:links --by load --json").orFail().json().getAsJsonArray("loads")
                .get(0).getAsJsonObject();
            assertThat(first.get("from").getAsString()).isEqualTo(fullest);
            assertThat(shell.run("daqfabric:links --by size").output()).contains("--by is name or load, not size");
        }

        // every packet that was sent is counted, and no other
        final var sent = probe.join();
        await("all packets").atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            final var after = pairs(traffic(controller, fabric, 0));
            sent.forEach((pair, packets) -> after.merge(pair, -packets, Long::sum));
            assertThat(after).isEqualTo(before(before, after.keySet()));
        });
        assertRefused(controller, fabric);
    }

    /** Pairs without packets are not listed. */
    private static Map<String, Long> before(final Map<String, Long> counted, final Iterable<String> pairs) {
        final Map<String, Long> all = new HashMap<>(counted);
        pairs.forEach(pair -> all.putIfAbsent(pair, 0L));
        return all;
    }

    private static void assertRefused(final Distribution controller, final LabFabric fabric) {
        for (final var wrong : List.of("\"seconds\":61", "\"seconds\":\"soon\"")) {
            final var refused = controller.restconf().post("operations/daqfabric-operations:traffic",
                "{\"input\":{\"fabric\":\"" + fabric.name() + "\"," + wrong + "}}");
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body()).contains("/input/seconds");
        }
    }

    private static JsonObject traffic(final Distribution controller, final LabFabric fabric, final int seconds) {
        return controller.restconf().post("operations/daqfabric-operations:traffic",
            "{\"input\":{\"fabric\":\"" + fabric.name() + "\",\"seconds\":" + seconds + "}}").orFail().json()
            .getAsJsonObject("daqfabric-operations:output");
    }

    private static Map<String, Long> pairs(final JsonObject traffic) {
        final Map<String, Long> packets = new HashMap<>();
        FabricFile.entries(traffic, "pair").forEach(pair -> packets.put(pair.get("ros").getAsString() + " "
            + pair.get("dcm").getAsString(), pair.get("packets").getAsLong()));
        return packets;
    }

    /** The link and direction that carries most: the end that sends, and how much. */
    private static JsonObject fullest(final FabricState state) {
        final List<JsonObject> all = new ArrayList<>();
        for (final var link : FabricFile.entries(state.json(), "link")) {
            all.add(direction(link, "to-peer"));
            all.add(direction(link, "from-peer"));
        }
        return all.stream().max(Comparator.comparingDouble(each -> each.get("measured").getAsDouble())).orElseThrow();
    }

    private static JsonObject direction(final JsonObject link, final String name) {
        final var found = new JsonObject();
        final var end = link.get("switch").getAsString() + ":" + link.get("port").getAsString();
        final var port = link.get("port").getAsString();
        found.addProperty("from", name.equals("to-peer") ? end
            : port.substring("to-".length()) + ":to-" + link.get("switch").getAsString());
        final var measured = link.getAsJsonObject(name).get("measured");
        found.addProperty("measured", measured == null ? 0 : measured.getAsDouble());
        return found;
    }

    /** Sends; the packets that were sent by pair. */
    private static Map<String, Long> probe(final LabFabric fabric) {
        final var report = JsonParser.parseString(Lab.tryDaqlab("probe", "r1-1", DCM, "r1-2", DCM, "r2-1", DCM,
            "--fabric", fabric.name(), "--rate", RATE, "--duration", Long.toString(SECONDS.toSeconds()), "--json")
            .output()).getAsJsonObject();
        final Map<String, Long> sent = new HashMap<>();
        report.getAsJsonArray("pairs").forEach(each -> {
            final var pair = each.getAsJsonObject();
            sent.put(pair.get("from").getAsString() + " " + pair.get("to").getAsString(), pair.get("sent").getAsLong());
        });
        return sent;
    }
}
