package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What other programs and people do to ports and rules on a switch: what is the controller's it puts right immediately,
 * and what is not it names.
 */
@ExtendWith(SharedController.class)
class OpenFlowFaultsIT {
    /** Two seconds, on a machine that does other things, too. */
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String LEAF = "p1l1";
    private static final String PORT = "to-p1s1";

    private static Distribution controller;
    private static Shell shell;
    private static LabFabric fabric;

    @BeforeAll
    static void bringUp(final Distribution shared, final Lab lab) {
        controller = shared;
        shell = new Shell(shared);
        fabric = lab.converged(lab.generate("faults", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2")
            .withBfd(false));
        fabric.assertAllReachable();
    }

    @AfterAll
    static void end() {
        if (shell != null) {
            shell.close();
        }
    }

    private static void awaitIn(final String what, final Runnable assertion) {
        await(what).atMost(SOON).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(50))
            .untilAsserted(assertion::run);
    }

    private static JsonObject portState(final LabFabric of, final String switchName, final String port) {
        return FabricFile.entries(of.state().json(), "port").stream().filter(each ->
            each.get("switch").getAsString().equals(switchName) && each.get("port").getAsString().equals(port))
            .findFirst().orElse(new JsonObject());
    }

    private static List<JsonObject> alarms(final String type) {
        return AlarmWatch.list(controller.restconf()).stream()
            .filter(each -> each.get("alarm-type-id").getAsString().endsWith(type)
                && !each.get("is-cleared").getAsBoolean()).toList();
    }

    /** Those of docs/operations.md. */
    static List<String> bitsThatArePutRight() throws IOException {
        return ColumnTable.names("put right", Set.of(ColumnTable.PORT_BITS)).stream()
            .map(name -> name.substring(ColumnTable.PORT_BITS.length() + 1)).toList();
    }

    /** A bit that stops packets is cleared as soon as it is reported, on links and on a bridge's own port. */
    @ParameterizedTest
    @MethodSource("bitsThatArePutRight")
    void portBitsAreCleared(final String bit) {
        final var names = bit.replace("-receive", "_RECV").replace("-forward", "_FWD").replace("-packet-in",
            "_PACKET_IN").replace("no_", "NO_");
        for (var port : List.of(LEAF + " " + PORT, "h1-1 br-daq")) {
            final var at = port.split(" ");
            fabric.ofctl(at[0], "mod-port", at[1], bit);
            awaitIn(bit + " of " + port, () ->
                assertThat(fabric.ofctl(at[0], "dump-ports-desc")).doesNotContain(names));
        }
        fabric.awaitPhase("converged");
        fabric.assertAllReachable();
        assertThat(controller.log()).content().contains(LEAF + ":" + PORT + ": another program has set " + bit);
    }

    /** What an operator takes down stays down, and the doctor says which port it is and how it comes back. */
    @Test
    void aDeviceThatWasTakenDownIsNamed() {
        fabric.daqlab("exec", LEAF, "--", "ip", "link", "set", PORT, "down");
        try {
            assertThat(FirstFinding.await(shell, fabric.name(), LEAF + ":" + PORT + " was taken down on its node")
                .toString()).contains("'ip link set " + PORT + " up'");
            fabric.assertAllReachable();
        } finally {
            fabric.daqlab("exec", LEAF, "--", "ip", "link", "set", PORT, "up");
        }
        fabric.rebalance();
        fabric.awaitPhase("converged");
    }

    /** DCMs whose node's own port is down are cut off at once, by name, everywhere; and come back. */
    @Test
    void dcmsOfABridgeThatIsDownAreCutOff() {
        ownPortDown("h1-1", () -> {
            awaitIn("cut off", () -> assertThat(fabric.state().reachableRos()).containsEntry("h1-1d1", 0)
                .containsEntry("h1-1d2", 0).containsEntry("h2-1d1", 2));
            awaitIn("phase", () -> assertThat(fabric.state().phase()).isEqualTo("degraded"));
            assertThat(portState(fabric, "h1-1", "LOCAL").get("cut-off").toString()).contains("h1-1d1", "h1-1d2");
            awaitIn("alarm", () -> assertThat(alarms("dcms-cut-off")).isNotEmpty());
            assertThat(FirstFinding.await(shell, fabric.name(), "the bridge's own port br-daq of h1-1 is down")
                .toString()).contains("ip link set br-daq up");
            assertThat(shell.run("daqfabric:trace --fabric " + fabric.name() + " r1-1 h1-1d1").output()
                .replaceAll("\\s+", " ")).contains("the bridge's own port br-daq of h1-1 is down");
        });
        awaitIn("back", () -> assertThat(fabric.state().reachableRos().values()).containsOnly(2));
        fabric.awaitPhase("converged");
    }

    /** Without a ROS no event can be built: that is critical. */
    @Test
    void aRosThatIsDownIsCritical() {
        ownPortDown("r1-1", () -> {
            awaitIn("one less", () -> assertThat(fabric.state().reachableRos().values()).containsOnly(1));
            awaitIn("alarm", () -> assertThat(alarms("dcms-cut-off")).singleElement().satisfies(alarm ->
                assertThat(alarm.toString()).contains("critical").contains("ROS r1-1")));
        });
        fabric.awaitPhase("converged");
    }

    private static void ownPortDown(final String node, final Runnable then) {
        // the lab's own process would bring it up again
        final var hosts = hostsProcess();
        Processes.run(List.of("kill", "-STOP", hosts)).orFail();
        try {
            fabric.daqlab("exec", node, "--", "ip", "link", "set", "br-daq", "down");
            then.run();
        } finally {
            fabric.daqlab("exec", node, "--", "ip", "link", "set", "br-daq", "up");
            Processes.run(List.of("kill", "-CONT", hosts)).orFail();
        }
        await().atMost(LabFabric.TIMEOUT).untilAsserted(fabric::assertAllReachable);
    }

    private static String hostsProcess() {
        try {
            return Files.readString(Path.of("/run/daqlab/fabrics", fabric.name(), "hosts.pid")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A DCM behind a port of its own that is down is cut off, and no other. */
    @Test
    void aDcmWhosePortIsDownIsCutOff(final Lab lab) {
        final var ports = lab.converged(lab.generate("faultports",
            "--planes 1 --spines 1 --pods 1 --ros 1 --racks 1 --dcms 2 --dcm-ports").withBfd(false));
        final var dcm = ports.file().hosts().get("h1-1d1");
        final var port = "d1";
        ports.daqlab("exec", dcm.edge(), "--", "ip", "link", "set", port, "down");
        awaitIn("cut off", () -> assertThat(ports.state().reachableRos()).containsEntry("h1-1d1", 0)
            .containsEntry("h1-1d2", 1));
        assertThat(portState(ports, dcm.edge(), port).get("fault").getAsString()).contains("'ip link set " + port
            + " up'");
        ports.daqlab("exec", dcm.edge(), "--", "ip", "link", "set", port, "up");
        ports.awaitPhase("converged");
        assertThat(ports.state().reachableRos().values()).containsOnly(1);
    }

    /** Rules and groups that somebody deletes are back within a second or so, not at the next comparison. */
    @Test
    void deletedRulesAreBackSoon() {
        final var before = fabric.contents(LEAF);
        try (var ping = fabric.ping(20)) {
            fabric.ofctl(LEAF, "del-flows");
            fabric.ofctl(LEAF, "del-groups");
            final var deleted = Instant.now();
            awaitIn("rules", () -> {
                final var now = fabric.contents(LEAF);
                assertThat(now.rules().keySet()).isEqualTo(before.rules().keySet());
                assertThat(now.groups().keySet()).isEqualTo(before.groups().keySet());
            });
            final var back = Instant.now();
            assertThat(Duration.between(deleted, back)).isLessThan(SOON);
            fabric.assertAllReachable();
            ping.assertLostNothingSince(back.plusSeconds(1));
        }
    }

    /** A foreign rule that takes packets is named with what removes it; it is left alone, and others are not named. */
    @Test
    void aForeignRuleThatTakesPacketsIsNamed() {
        fabric.ofctl(LEAF, "add-flow", "cookie=0x99,priority=1,tcp,tp_dst=1,actions=drop");
        fabric.ofctl(LEAF, "add-flow", "cookie=0x17,priority=60000,ip,nw_dst=10.2.0.0/16,actions=drop");
        try {
            foreignRuleIsNamed();
        } finally {
            fabric.ofctl(LEAF, "del-flows", "--strict", "priority=60000,dl_type=0x0800,nw_dst=10.2.0.0/16");
            fabric.ofctl(LEAF, "del-flows", "cookie=0x99/-1");
        }
        fabric.awaitState("no error", state -> !state.switchNamed(LEAF).has("last-error"));
        assertThat(fabric.missingPairs()).isEqualTo(Set.of());
    }

    private static void foreignRuleIsNamed() {
        awaitIn("state", () -> assertThat(fabric.state().switchNamed(LEAF).toString()).contains("cookie=0x17")
            .doesNotContain("cookie=0x99"));
        awaitIn("phase", () -> assertThat(fabric.state().phase()).isEqualTo("degraded"));
        assertThat(FirstFinding.await(shell, fabric.name(), "a rule of another program takes packets: cookie=0x17,"
            + " priority=60000,dl_type=0x0800,nw_dst=10.2.0.0/16").toString()).contains("--strict del-flows br-daq");
        awaitIn("alarm", () -> assertThat(alarms("switch-error")).isNotEmpty());
        assertThat(fabric.ofctl(LEAF, "dump-flows")).contains("cookie=0x17");
    }
}
