package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cable between two switches loses packets, or a node those that it sends. */
@ExtendWith(SharedController.class)
class LossIT {
    /** Ten seconds, and as long again where others use the processors. */
    private static final Duration FOUND = Duration.ofSeconds(40);
    private static final Duration CLEARED = Duration.ofSeconds(120);
    private static final String SENDER = "p1l1:to-p1s1";

    private static LabFabric fabric;
    private static LossyCable cable;

    @BeforeAll
    static void bringUp(final Lab lab) {
        final var file = lab.generate("loss", "--planes 1 --spines 1 --pods 2 --ros 1 --racks 1 --dcms 1");
        fabric = lab.fabric(file).up();
        cable = new LossyCable(fabric);
        fabric.put(file).awaitPhase("converged");
    }

    @AfterAll
    static void removeCable() {
        cable.close();
    }

    private static JsonObject direction(final String name) {
        return FabricFile.entries(fabric.state().json(), "link").stream()
            .filter(each -> SENDER.equals(each.get("switch").getAsString() + ":" + each.get("port").getAsString()))
            .findFirst().orElseThrow().getAsJsonObject(name);
    }

    private static long lost(final String direction) {
        return direction(direction).get("lost-packets").getAsLong();
    }

    private static int rate(final String direction) {
        return direction(direction).get("loss-rate").getAsInt();
    }

    /** Losses are found under traffic, with the link and the direction, and are gone when the cable is whole again. */
    @Test
    void lossyLinkIsFound(final Distribution controller) throws Exception {
        final var command = Lab.command("probe", "--fabric", fabric.name(), "--rate", "4000", "r1-1", "h2-1d1", "r2-1",
            "h1-1d1");
        final var traffic = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        final var resource = "fabric/" + fabric.name() + "/link/" + SENDER;
        try {
            await("counters").atMost(FOUND).until(() -> direction("to-peer").has("lost-packets"));
            assertThat(lost("to-peer")).isZero();
            cable.drop("numgen random mod 1000 < 1");
            await("1 of 1000 to be found").atMost(FOUND).until(() -> rate("to-peer") > 0);
            final var alarm = AlarmWatch.awaitIn(controller.restconf(), "link-lossy", resource, false);
            assertThat(alarm.get("alarm-text").getAsString()).contains("from " + SENDER + " to p1s1:to-p1l1")
                .doesNotContain("from p1s1");
            cable.dropNothing();
            cable.drop("numgen random mod 50 < 1");
            await("1 of 50 to be found").atMost(FOUND).until(() -> rate("to-peer") == 10_000);
            AlarmWatch.awaitIn(controller.restconf(), "link-lossy", resource,
                each -> each.get("perceived-severity").getAsString().equals("major"));
            try (var shell = new Shell(controller)) {
                FirstFinding.await(shell, fabric.name(), "loses packets from " + SENDER);
            }
            cable.dropNothing();
            await("no more losses").atMost(CLEARED).until(() -> rate("to-peer") == 0);
            AlarmWatch.awaitIn(controller.restconf(), "link-lossy", resource, true);
            assertThat(rate("from-peer")).isZero();
            assertThat(lost("from-peer")).isZero();
        } finally {
            traffic.toHandle().destroy();
            traffic.waitFor();
        }
    }

    /** What a node drops before its port counts it as sent is found by its rules: by a firewall, then by a policer. */
    @Test
    void lossesBehindAPortAreFound(final Distribution controller) throws Exception {
        final var node = fabric.namespace("p1l1");
        final var command = Lab.command("probe", "--fabric", fabric.name(), "--rate", "4000", "r1-1", "h2-1d1", "r2-1",
            "h1-1d1");
        LossyCable.nft(node, "add table netdev node; add chain netdev node out "
            + "{ type filter hook egress device \"to-p1s1\" priority 0; }");
        final var traffic = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try {
            await("counters").atMost(FOUND).until(() -> direction("to-peer").has("lost-packets"));
            for (final var losing : List.of("numgen random mod 50 < 1", "limit rate over 3000/second")) {
                LossyCable.nft(node, "add rule netdev node out ip version 4 " + losing + " counter drop");
                await(losing).atMost(CLEARED).until(() -> rate("to-peer") > 0);
                AlarmWatch.awaitIn(controller.restconf(), "link-lossy",
                    "fabric/" + fabric.name() + "/link/" + SENDER, false);
                assertThat(rate("from-peer")).isZero();
                LossyCable.nft(node, "flush chain netdev node out");
                await("no more losses").atMost(CLEARED).until(() -> rate("to-peer") == 0);
            }
        } finally {
            LossyCable.nft(node, "delete table netdev node");
            traffic.toHandle().destroy();
            traffic.waitFor();
        }
    }

    /** Where hosts send nothing small frames of the controller are lost. */
    @Test
    void lossyIdleLinkIsFound(final Distribution controller) {
        await("counters").atMost(FOUND).until(() -> direction("to-peer").has("lost-packets"));
        final var resource = "fabric/" + fabric.name() + "/link/" + SENDER;
        cable.dropFrames("numgen random mod 100 < 1");
        try {
            await("1 of 100 to be found").atMost(FOUND).until(() -> rate("to-peer") == 10_000);
            AlarmWatch.awaitIn(controller.restconf(), "link-lossy", resource, false);
            assertThat(rate("from-peer")).isZero();
        } finally {
            cable.dropNothing();
        }
        await("no more losses").atMost(CLEARED).until(() -> rate("to-peer") == 0);
        AlarmWatch.awaitIn(controller.restconf(), "link-lossy", resource, true);
    }

    /** No link is said to lose packets, in the state or by an alarm, where traffic passes whole. */
    @Test
    void cleanLinksRaiseNoAlarm(final Distribution controller) {
        final var before = raised(controller);
        probe(20);
        assertThat(raised(controller)).isEqualTo(before);
        assertThat(FabricFile.entries(fabric.state().json(), "link")).isNotEmpty()
            .allMatch(each -> List.of("to-peer", "from-peer").stream()
                .allMatch(way -> each.getAsJsonObject(way).get("loss-rate").getAsInt() == 0));
    }

    /** When alarms for losses were raised, by their links. */
    private static Map<String, String> raised(final Distribution controller) {
        return AlarmWatch.list(controller.restconf()).stream()
            .filter(each -> each.get("alarm-type-id").getAsString().equals("link-lossy"))
            .collect(Collectors.toMap(each -> each.get("resource").getAsString(),
                each -> each.get("last-raised").getAsString()));
    }

    /**
     * At the next pause exactly the packets that were lost are said to be, and none where traffic passed whole: a
     * single one, then some, so few that no fault is found. They are in the state, in metrics, in the summary of the
     * run, in the diagnosis, and on the page.
     */
    @Test
    void lostPacketsAreCounted(final Distribution controller) throws Exception {
        final var partition = new RunPartition(controller.restconf(), "loss", fabric.name());
        partition.prepared("").armed();
        var run = 0;
        for (final var which : List.of("mod 1000000000 == 100", "mod 9001 == 1")) {
            final var begun = pausedAt();
            final var overflowed = cable.overflowed();
            partition.started(++run);
            probe();
            pausedAt();
            await("no losses").atMost(FOUND).untilAsserted(() ->
                assertThat(lost("to-peer")).isEqualTo(begun + cable.overflowed() - overflowed));
            cable.drop("numgen inc " + which);
            probe();
            final var counted = cable.dropNothing();
            assertThat(counted).isPositive();
            partition.ask("stop-run", "").orFail();
            await("lost packets").atMost(FOUND).untilAsserted(() ->
                assertThat(lost("to-peer")).isEqualTo(begun + counted + cable.overflowed() - overflowed));
            final var dropped = lost("to-peer") - begun;
            assertThat(lost("from-peer")).isZero();
            await("metric").atMost(FOUND).untilAsserted(() ->
                assertThat(Scrape.of(controller).sum("daqfabric_link_lost_packets_total", "switch=\"p1l1\"",
                    "port=\"to-p1s1\"", "fabric=\"" + fabric.name() + '"')).isEqualTo(begun + dropped));
            await("losses of the run").atMost(FOUND).untilAsserted(() ->
                assertThat(FabricFile.entries(partition.json().getAsJsonObject("run"), "link-loss")).singleElement()
                    .satisfies(each -> {
                        assertThat(each.get("switch").getAsString() + ":" + each.get("port").getAsString())
                            .isEqualTo(SENDER);
                        assertThat(each.get("packets").getAsLong()).isEqualTo(dropped);
                    }));
            if (run == 1) {
                assertThat(counted).isOne();
                try (var shell = new Shell(controller)) {
                    assertThat(shell.run("daqfabric:doctor").output().replaceAll("\\s+", " ")).contains(
                        lost("to-peer") + " from " + SENDER + " to p1s1:to-p1l1");
                }
            }
        }
        try (var browser = new Browser()) {
            browser.open("http://admin:admin@127.0.0.1:" + controller.port("restconf") + "/daqfabric/?fabric="
                + fabric.name());
            browser.awaitText("#panel", "link from " + SENDER + " to p1s1" + lost("to-peer"));
            browser.awaitText("#panel", "by the link from " + SENDER);
        }
        partition.ask("release", "").orFail();
    }

    /** What has been lost so far, when the controller has seen that nothing is sent. */
    private static long pausedAt() {
        await("counters").atMost(FOUND).until(() -> direction("to-peer").has("lost-packets"));
        final var last = new AtomicLong(-1);
        await("a pause").atMost(FOUND).pollInterval(Duration.ofSeconds(5))
            .until(() -> last.getAndSet(lost("to-peer")) == lost("to-peer"));
        return last.get();
    }

    private static void probe() {
        probe(3);
    }

    private static void probe(final int seconds) {
        final var report = JsonParser.parseString(Lab.tryDaqlab("probe", "--fabric", fabric.name(), "--rate", "4000",
            "--duration", Integer.toString(seconds), "--json", "r1-1", "h2-1d1", "r2-1", "h1-1d1").output())
            .getAsJsonObject();
        assertThat(report.getAsJsonArray("pairs")).hasSize(2);
    }
}
