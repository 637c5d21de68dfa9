package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running fabric under a controller that has lost everything but a backup. */
@Tag("long") // starts controllers
class BackupIT {
    @TempDir
    private Path folder;

    /**
     * An empty controller leaves switches that it does not know alone; with the backup it continues as if it had been
     * restarted: it sends nothing, moves nothing, and knows the partitions.
     */
    @Test
    void anEmptyControllerTakesARunningFabricOver() throws Exception {
        try (var controller = Distribution.daqfabric("backup").start(); var lab = new Lab(controller)) {
            final var fabric = lab.converged(lab.generate("backup",
                "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 4"));
            // afterwards placement and group contents depend on what happened, not on the configuration alone
            fabric.cut("p1l1", "to-p1s1");
            fabric.restore("p1l1", "to-p1s1");
            final var partition = new RunPartition(controller.restconf(), "kept", fabric.name()).prepared("");
            fabric.awaitPhase("converged");
            final var placement = fabric.state().placement();
            final var before = fabric.contents();
            final var targets = fabric.controllers("p1l1");
            final var bridges = fabric.bridges("p1l1");
            final var file = folder.resolve("daq.json");
            try (var shell = new Shell(controller)) {
                assertThat(shell.run("daqfabric:backup " + file).orFail().output())
                    .contains("1 fabric with 8 DCMs and 1 partition in " + file);
            }
            final var text = Files.readString(file);

            try (var ping = fabric.ping(10)) {
                assertThat(controller.stop()).isZero();
                controller.eraseStored();
                controller.start();
                awaitConnected(fabric);
                assertThat(fabric.controllers("p1l1")).isEqualTo(targets);
                assertThat(fabric.bridges("p1l1")).isEqualTo(bridges);

                final var restored = restore(controller, text, false).orFail().json()
                    .getAsJsonObject("daqfabric-backup:output");
                assertThat(restored.get("dcms").getAsInt()).isEqualTo(8);
                assertThat(restored.has("warning")).isFalse();
                fabric.awaitPhase("converged");
                assertUntouched(controller, fabric, before, placement);

                // the same once more, while it runs
                assertThat(refused(controller, text, false, 400)).contains("/daqfabric:fabrics/fabric[name='"
                    + fabric.name() + "']: this fabric is configured here already");
                restore(controller, text, true).orFail();
                fabric.awaitPhase("converged");
                assertUntouched(controller, fabric, before, placement);
                ping.assertLostNothing();
            }
            assertTakenOver(controller, fabric);
            partition.armed().started(5);
            assertThat(refused(controller, text, true, 409)).contains("run 5 of partition kept goes on");
            partition.ask("abort", "").orFail();

            // it goes on to work
            fabric.cut("p1l1", "to-p1s1");
            fabric.restore("p1l1", "to-p1s1");
            fabric.assertAllReachable();
        }
    }

    private static Restconf.Answer restore(final Distribution controller, final String text, final boolean replace) {
        final var input = new JsonObject();
        input.addProperty("backup", text);
        input.addProperty("replace", replace);
        final var body = new JsonObject();
        body.add("input", input);
        return controller.restconf().post("operations/daqfabric-backup:restore", body.toString());
    }

    private static String refused(final Distribution controller, final String text, final boolean replace,
            final int status) {
        final var answer = restore(controller, text, replace);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        return answer.body();
    }

    /** What another installation has, this one leaves alone until it is told to take it over. */
    private static void assertTakenOver(final Distribution controller, final LabFabric fabric) throws Exception {
        final var key = "external_ids:daqfabric-installation";
        final var own = fabric.vsctl("p1s1", "get", "bridge", "br-daq", key).getFirst();
        assertThat(fabric.vsctl("p1s2", "get", "bridge", "br-daq", key)).containsExactly(own);
        fabric.vsctl("p1s1", "set", "bridge", "br-daq", key + "=elsewhere", "fail_mode=standalone");
        fabric.awaitState("another installation", state -> state.switchNamed("p1s1").has("last-error")
            && state.switchNamed("p1s1").get("last-error").getAsString().contains("of daqfabric (elsewhere)"));
        assertThat(fabric.vsctl("p1s1", "get", "bridge", "br-daq", "fail_mode")).containsExactly("standalone");
        // nor over OpenFlow, though it stays connected
        fabric.awaitState("not used", state -> !state.switchNamed("p1s1").get("openflow-connected").getAsBoolean());
        final var sent = sent(controller, fabric);
        fabric.ofctl("p1s1", "del-flows", "ip");
        final var left = fabric.contents("p1s1").rules().keySet();
        assertThat(fabric.resync("p1s1").findings()).isNotEmpty();
        assertThat(fabric.contents("p1s1").rules().keySet()).isEqualTo(left);
        assertThat(sent(controller, fabric)).isEqualTo(sent);
        assertThat(fabric.vsctl("p1s1", "get", "Controller", "br-daq", "is_connected")).containsExactly("true");
        controller.restconf().post("operations/daqfabric-operations:take-over",
            "{\"input\":{\"installation\":\"elsewhere\"}}").orFail();
        await().untilAsserted(() -> assertThat(fabric.vsctl("p1s1", "get", "bridge", "br-daq", key, "fail_mode"))
            .containsExactly(own, "secure"));
        fabric.awaitPhase("converged");
    }

    /** How many changes of the rules and groups of p1s1 were sent. */
    private static double sent(final Distribution controller, final LabFabric fabric) {
        return Scrape.of(controller).sum("daqfabric_messages_sent_total", "fabric=\"" + fabric.name() + '"',
            "switch=\"p1s1\"");
    }

    /** Waits until every switch of a fabric that is not configured is connected over both protocols. */
    private static void awaitConnected(final LabFabric fabric) {
        await("switches that no fabric names").atMost(Duration.ofSeconds(120))
            .untilAsserted(() -> assertThat(fabric.file().switches()).allMatch(each ->
                fabric.vsctl(each, "get", "Controller", "br-daq", "is_connected").equals(List.of("true"))
                && fabric.vsctl(each, "get", "Manager", ".", "is_connected").equals(List.of("true"))));
    }

    private static void assertUntouched(final Distribution controller, final LabFabric fabric,
            final SortedMap<String, SwitchContents> before,
            final Map<String, FabricState.Place> placement) {
        assertThat(fabric.state().placement()).isEqualTo(placement);
        assertThat(fabric.state().moves()).isZero();
        fabric.contents().forEach((name, now) -> before.get(name).assertUntouchedIn(now, name));
        assertThat(Scrape.of(controller).sum("daqfabric_messages_sent_total", "fabric=\"" + fabric.name() + '"'))
            .isZero();
    }
}
