package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What links carry and ROS send, beside what is sent. */
@ExtendWith(SharedController.class)
class TrafficIT {
    private static final String PLAN = "operations/daqfabric-operations:plan";
    /** The only ROS that answers DCMs, so that its link is the fullest. */
    private static final String ROS = "r1-1";
    private static final Duration COUNTED = Duration.ofSeconds(60);
    /** Proofs of a pair, and their bytes, are fewer between two readings: ten a second of all pairs, in turn. */
    private static final long PROOFS = 100;
    private static final long PROOF_BYTES = 100_000;

    private static LabFabric fabric;

    @BeforeAll
    static void bringUp(final Distribution controller, final Lab lab) {
        fabric = lab.converged(lab.generate("traffic", "--planes 2 --spines 2 --pods 2 --ros 2 --racks 2 --dcms 2"));
        // what hosts have sent to bring the fabric up is counted when the datapaths have told it
        await("counters that stand still").atMost(COUNTED).pollInterval(Duration.ofSeconds(2))
            .until(() -> counted(traffic(controller, 2), "packets").values().stream()
                .allMatch(packets -> packets < PROOFS));
    }

    /** Every packet that was sent is counted, and no other but proofs. */
    @Test
    void packetsAreCounted(final Distribution controller) {
        final var before = counted(traffic(controller, 0), "packets");
        final var sent = probe("r1-1", "h2-1d1", "r1-2", "h2-1d1", "r2-1", "h1-1d2");
        assertThat(sent).hasSize(3);
        await("all packets").atMost(COUNTED).untilAsserted(() -> {
            final var after = counted(traffic(controller, 0), "packets");
            before.forEach((pair, packets) -> after.merge(pair, -packets, Long::sum));
            sent.forEach((pair, packets) -> after.merge(pair, -packets, Long::sum));
            assertThat(after.values()).allMatch(packets -> packets >= 0 && packets < PROOFS);
        });
        for (final var wrong : List.of("\"seconds\":61", "\"seconds\":\"soon\"")) {
            final var refused = controller.restconf().post("operations/daqfabric-operations:traffic",
                "{\"input\":{\"fabric\":\"" + fabric.name() + "\"," + wrong + "}}");
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body()).contains("/input/seconds");
        }
    }

    /**
     * Events of one ROS and the DCMs of one plane, which nobody has planned: the bottleneck that is predicted from what
     * rules count is the link that carries most, doctor and plan say what other weights would gain, and the bytes are
     * those that the hosts' cards have counted.
     */
    @Test
    void skewedEvents(final Distribution controller) throws Exception {
        final List<String> dcms = new ArrayList<>();
        fabric.state().placement().forEach((dcm, place) -> {
            if (place.plane() == 1) {
                dcms.add(dcm);
            }
        });
        final var before = counted(traffic(controller, 0), "bytes");
        final var sentBefore = card(ROS, "tx");
        final var command = Lab.command("events", fabric.name(), "--duration", "120", "--json", "--ros", ROS, "--dcms");
        command.addAll(dcms);
        final var events = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final var report = CompletableFuture.supplyAsync(() -> read(events));
        try {
            await("the link of " + ROS + " to be the fullest").atMost(Duration.ofSeconds(120)).untilAsserted(() -> {
                final var fullest = fullest(fabric.state());
                assertThat(fullest.get("from").getAsString()).isEqualTo(ROS + ":to-p1l1");
                assertThat(fullest.get("measured").getAsDouble()).isGreaterThan(0.01);
            });
            assertPredicted(controller, dcms);
        } finally {
            // not by the process itself, which would close its output too
            events.toHandle().destroy();
        }

        final var data = (long) (report.join().getAsJsonObject("total").get("goodput").getAsDouble()
            * report.join().getAsJsonObject("total").get("duration").getAsDouble() * 1e6 / 8);
        await("all bytes").atMost(COUNTED).untilAsserted(() -> {
            final var after = counted(traffic(controller, 0), "bytes");
            before.forEach((pair, bytes) -> after.merge(pair, -bytes, Long::sum));
            after.values().removeIf(bytes -> bytes < PROOF_BYTES);
            assertThat(after.keySet()).containsExactlyInAnyOrderElementsOf(
                dcms.stream().map(dcm -> ROS + " " + dcm).toList());
            final var sent = after.values().stream().mapToLong(Long::longValue).sum();
            final long card = card(ROS, "tx") - sentBefore;
            assertThat(sent).as("bytes from the card of " + ROS).isBetween(card, card + dcms.size() * PROOF_BYTES);
            assertThat(sent).as("with the headers of %d bytes of event data", data).isGreaterThan(data);
        });
    }

    /** While events are built. */
    private static void assertPredicted(final Distribution controller, final List<String> dcms) {
        final var running = traffic(controller, 3);
        final var bytes = counted(running, "bytes");
        bytes.values().removeIf(each -> each < PROOF_BYTES / 10);
        assertThat(bytes.keySet()).containsExactlyInAnyOrderElementsOf(
            dcms.stream().map(dcm -> ROS + " " + dcm).toList());
        final var measured = running.getAsJsonObject("measured");
        assertThat(measured.get("bottleneck").getAsString()).isEqualTo(ROS + ":to-p1l1 -> p1l1:to-" + ROS);
        assertThat(fullest(fabric.state()).get("from").getAsString()).isEqualTo(ROS + ":to-p1l1");

        final var plan = controller.restconf().post(PLAN, "{\"input\":{\"fabric\":\"" + fabric.name()
            + "\",\"measured-weights\":2}}").orFail().json().getAsJsonObject("daqfabric-operations:output");
        final var now = plan.getAsJsonObject("before");
        assertThat(now.get("bottleneck").getAsString()).isEqualTo(measured.get("bottleneck").getAsString());
        assertThat(now.get("bandwidth").getAsDouble()).isCloseTo(10, within(0.1));
        assertThat(plan.getAsJsonObject("after").get("bandwidth").getAsDouble()).isGreaterThan(13);
        assertThat(FabricFile.entries(plan, "moved-dcm")).isNotEmpty();
        final var weights = plan.getAsJsonObject("measured");
        assertThat(FabricFile.entries(weights, "ros")).hasSize(4).allSatisfy(each ->
            assertThat(each.get("fragment-weight").getAsDouble() > 1).isEqualTo(isNamed(each, List.of(ROS))));
        assertThat(FabricFile.entries(weights, "dcm")).hasSize(8).allSatisfy(each ->
            assertThat(each.get("weight").getAsDouble() > 0.1).isEqualTo(isNamed(each, dcms)));

        try (var shell = new Shell(controller)) {
            final var first = shell.run("daqfabric:links --fabric " + fabric.name() + " --by load --json").orFail()
                .json().getAsJsonArray("loads").get(0).getAsJsonObject();
            assertThat(first.get("from").getAsString()).isEqualTo(ROS + ":to-p1l1");
            assertThat(shell.run("daqfabric:links --by size").output()).contains("--by is name or load, not size");
            assertThat(shell.run("daqfabric:plan --fabric " + fabric.name() + " --measured 2").orFail().output())
                .contains("WEIGHT OF", ROS, "DCMs move");
            assertThat(shell.run("daqfabric:plan --fabric " + fabric.name() + " --measured 61").output())
                .contains("a number from 0 to 60");
            assertThat(shell.run("daqfabric:doctor --fabric " + fabric.name() + " --json").json()
                .getAsJsonArray("findings")).extracting(each -> each.getAsJsonObject().get("subject").getAsString()
                    + ": " + each.getAsJsonObject().get("what").getAsString())
                .anyMatch(each -> each.startsWith("links of " + fabric.name() + ": the fullest, " + ROS + ":to-p1l1"))
                .anyMatch(each -> each.startsWith("fabric " + fabric.name() + ": the weights of its ROS and DCMs are"
                    + " not those of its traffic"));
        }
    }

    private static boolean isNamed(final JsonObject entry, final List<String> names) {
        return names.contains(entry.get("name").getAsString());
    }

    private static JsonObject traffic(final Distribution controller, final int seconds) {
        return controller.restconf().post("operations/daqfabric-operations:traffic",
            "{\"input\":{\"fabric\":\"" + fabric.name() + "\",\"seconds\":" + seconds + "}}").orFail().json()
            .getAsJsonObject("daqfabric-operations:output");
    }

    /** What was counted, by pair; those without packets are not listed. */
    private static Map<String, Long> counted(final JsonObject traffic, final String what) {
        final Map<String, Long> counted = new HashMap<>();
        FabricFile.entries(traffic, "pair").forEach(pair -> counted.put(pair.get("ros").getAsString() + " "
            + pair.get("dcm").getAsString(), pair.get(what).getAsLong()));
        return counted;
    }

    /** Bytes that a host's card, which is the bridge's own port, has counted. */
    private static long card(final String host, final String direction) {
        return JsonParser.parseString(fabric.daqlab("exec", host, "--", "ip", "-s", "-j", "link", "show", "dev",
            "br-daq")).getAsJsonArray().get(0).getAsJsonObject().getAsJsonObject("stats64")
            .getAsJsonObject(direction).get("bytes").getAsLong();
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

    /** Sends for three seconds; the packets that were sent by pair. */
    private static Map<String, Long> probe(final String... hosts) {
        final var command = new ArrayList<>(List.of("probe"));
        command.addAll(List.of(hosts));
        command.addAll(List.of("--fabric", fabric.name(), "--rate", "2000", "--duration", "3", "--json"));
        final var report = JsonParser.parseString(Lab.tryDaqlab(command.toArray(String[]::new)).output())
            .getAsJsonObject();
        final Map<String, Long> sent = new HashMap<>();
        report.getAsJsonArray("pairs").forEach(each -> {
            final var pair = each.getAsJsonObject();
            sent.put(pair.get("from").getAsString() + " " + pair.get("to").getAsString(), pair.get("sent").getAsLong());
        });
        return sent;
    }

    /** The report of event traffic, when that has ended. */
    private static JsonObject read(final Process events) {
        try {
            return JsonParser.parseString(new String(events.getInputStream().readAllBytes())).getAsJsonObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
