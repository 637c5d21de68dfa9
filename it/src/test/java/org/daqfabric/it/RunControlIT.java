package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs on the prototype of the thesis, controlled over RESTCONF. */
@ExtendWith(SharedController.class)
class RunControlIT {
    private static final String[] KINDS = {"run-state", "run-health", "operation", "repair", "rebalanced", "link-state",
        "switch-state"};

    private static LabFabric fabric;
    private static Restconf restconf;
    private static RunPartition partition;

    @BeforeAll
    static void bringUp(final Lab lab, final Restconf rest) {
        restconf = rest;
        final var file = lab.generate("runs", "--prototype");
        final var placement = new JsonObject();
        placement.addProperty("return", "between-runs");
        file.fabric().getAsJsonObject("policy").add("placement", placement);
        fabric = lab.converged(file);
        partition = new RunPartition(rest, "det-" + fabric.name(), fabric.name());
    }

    @AfterEach
    void release() {
        partition.ask("abort", "").orFail();
        fabric.awaitPhase("converged");
    }

    private static List<String> dcms() {
        return fabric.file().hosts().values().stream().filter(FabricFile.Host::isDcm).map(FabricFile.Host::name)
            .toList();
    }

    private static List<String> ros() {
        return fabric.file().hosts().values().stream().filter(host -> !host.isDcm()).map(FabricFile.Host::name)
            .toList();
    }

    /** A complete run, with a link that is cut and restored while it is in progress. */
    @Test
    void runIsRepairedReportedAndSummarised() {
        try (var events = new EventStream(restconf, KINDS)) {
            partition.prepared(",\"run-type\":\"physics\",\"required-bandwidth\":\"90\"");
            assertThat(partition.state()).isEqualTo("prepared");
            partition.armed();
            final var before = fabric.contents();
            partition.started(1234);
            fabric.contents().forEach((name, now) -> before.get(name).assertUntouchedIn(now, name));
            assertThat(partition.state()).isEqualTo("running");
            assertThat(partition.health()).isEqualTo("ok");

            final var cut = fabric.cut("p1l2", "to-p1s1");
            assertThat(cut.movedDcms()).isPositive();
            events.awaitEvent("link-state", event -> event.text("switch").equals("p1l2")
                && event.text("oper-state").equals("down"));
            final var repair = events.awaitEvent("repair", event -> true);
            assertThat(repair.content().get("moved-dcms").getAsInt()).isEqualTo(cut.movedDcms());
            final var balanced = events.awaitEvent("rebalanced", event -> true);
            assertThat(balanced.content().get("moved-dcms").getAsInt()).isEqualTo(cut.balancedDcms()).isPositive();
            final var health = events.awaitEvent("run-health", event -> event.text("health").equals("degraded"));
            assertThat(health.content().toString()).contains("p1l2:to-p1s1", "is down");
            fabric.assertAllReachable();

            fabric.daqlab("restore", "p1l2", "to-p1s1");
            events.awaitEvent("link-state", event -> event.text("held-back").equals("true"));
            assertThat(fabric.state().placement()).isEqualTo(cut.placement());
            assertThat(restconf.patch(fabric.path(), "{\"daqfabric:fabric\":[{\"name\":\"" + fabric.name()
                + "\",\"link-capacity\":20}]}").toString()).contains("400", "frozen", "run 1234", "stop it first");
            assertThat(restconf.post("operations/daqfabric-operations:rebalance",
                "{\"input\":{\"fabric\":\"" + fabric.name() + "\"}}").toString()).contains("409", "stop the run first");

            final var run = partition.ask("stop-run", "").orFail().json()
                .getAsJsonObject("daqfabric-run-control:output").getAsJsonObject("run");
            assertThat(run.get("run-number").getAsLong()).isEqualTo(1234);
            assertThat(run.get("repairs").getAsInt()).isEqualTo(1);
            assertThat(run.get("moved-dcms").getAsInt()).isEqualTo(cut.movedDcms() + cut.balancedDcms());
            assertThat(run.get("lowest-bandwidth").getAsDouble()).isEqualTo(96);
            assertThat(run.get("worst-health").getAsString()).isEqualTo("degraded");
            fabric.awaitState("the link in use again", state -> state.phase().equals("converged")
                && state.bandwidth() == 120);
            partition.ask("release", "").orFail();
            events.awaitEvent("run-state", event -> event.text("state").equals("idle"));
            assertThat(events.events().stream().filter(event -> event.kind().equals("run-state"))
                .map(event -> event.text("state"))).containsExactly("prepared", "ready", "running", "ready", "idle");
            assertMissedNothing(events);
        }
    }

    /** The stream has no gap, and missed-events lists the same events. */
    private static void assertMissedNothing(final EventStream events) {
        final Map<Long, String> received = new TreeMap<>();
        events.events().forEach(event -> received.put(event.content().get("sequence").getAsLong(), event.kind()));
        final var first = received.keySet().iterator().next();
        assertThat(received.keySet()).containsExactlyElementsOf(
            LongStream.range(first, first + received.size()).boxed().toList());
        final var missed = restconf.post("operations/daqfabric-run-control:missed-events", "{\"input\":{\"epoch\":\""
            + events.events().get(0).text("epoch") + "\",\"sequence\":" + (first - 1) + "}}").orFail().json()
            .getAsJsonObject("daqfabric-run-control:output");
        assertThat(missed.get("complete").getAsBoolean()).isTrue();
        final Map<Long, String> listed = new TreeMap<>();
        FabricFile.entries(missed, "event").forEach(event ->
            listed.put(event.get("sequence").getAsLong(), event.get("kind").getAsString()));
        assertThat(listed).containsAllEntriesOf(received);
    }

    /** Two partitions may share ROS, but not DCMs. */
    @Test
    void partitionsRunSideBySide() {
        final var other = new RunPartition(restconf, "cal-" + fabric.name(), fabric.name());
        final var half = dcms().size() / 2;
        try {
            partition.prepared(RunPartition.list("dcm", dcms().subList(0, half))).armed().started(1);
            assertThat(other.prepare("").toString()).contains("409", dcms().get(0), "running");
            other.prepared(RunPartition.list("dcm", dcms().subList(half, dcms().size()))).armed().started(2);
            partition.ask("stop-run", "").orFail();
            assertThat(restconf.patch(fabric.path(), "{\"daqfabric:fabric\":[{\"name\":\"" + fabric.name()
                + "\",\"link-capacity\":20}]}").toString()).contains("run 2");
        } finally {
            other.ask("abort", "").orFail();
        }
    }

    /** An unreachable ROS is named and prevents a run until it is disabled. */
    @Test
    void armListsWhatIsMissing() {
        final var dead = fabric.file().hosts().values().stream().filter(host -> !host.isDcm()).findFirst()
            .orElseThrow();
        partition.prepared(",\"required-bandwidth\":1000");
        try {
            for (var port : List.of("to-p1l" + dead.pod(), "to-p2l" + dead.pod())) {
                fabric.daqlab("cut", dead.edge(), port);
            }
            fabric.awaitState("both its links down", state -> state.links("down").size() == 2);
            partition.awaitLeaf("health", "insufficient");
            final var refused = partition.ask("arm", ",\"accept-degraded\":true");
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.errors()).contains("ros " + dead.name() + ": it reaches none of the DCMs",
                "1000.000 Gbps are required", "another request-id");
            partition.prepared(RunPartition.list("ros", ros()));
            partition.ask("disable", RunPartition.list("ros", List.of(dead.name()))).orFail();
            partition.awaitLeaf("health", "ok");
            assertThat(partition.json().getAsJsonArray("ros").size()).isEqualTo(ros().size() - 1);
            partition.ask("enable", RunPartition.list("ros", List.of(dead.name()))).orFail();
            partition.awaitLeaf("health", "insufficient");
        } finally {
            for (var port : List.of("to-p1l" + dead.pod(), "to-p2l" + dead.pod())) {
                fabric.daqlab("restore", dead.edge(), port);
            }
        }
    }

    /** A repeated request has the same answer, and every mistake is named. */
    @Test
    void refusalsSayWhatToDo() {
        final var id = "once-" + fabric.name();
        assertThat(partition.ask("arm", "").toString()).contains("409", "is idle", "prepare it first");
        partition.prepared("");
        final var first = partition.ask("start-run", id, ",\"run-number\":1");
        assertThat(first.toString()).contains("409", "is prepared: arm it first");
        partition.armed();
        assertThat(partition.ask("start-run", id, ",\"run-number\":1").body()).isEqualTo(first.body());
        assertThat(partition.ask("stop-run", id, "").toString()).contains("400", "/input/request-id", "use a new one");
        assertThat(partition.ask("start-run", ",\"run-number\":\"next\"").toString())
            .contains("400", "/input/run-number", "no whole number");
        assertThat(partition.ask("start-run", "").toString()).contains("400", "/input/run-number", "is missing");
        assertThat(partition.ask("start-run", ",\"run-number\":-1").toString()).contains("400", "0 to 4294967295");
        assertThat(partition.ask("enable", "").toString()).contains("409", "is ready: release it first");
        partition.ask("release", "").orFail();
        assertThat(partition.prepare(",\"ros\":[\"nobody\"],\"dcm\":[\"no-one\"]").toString())
            .contains("400", "has no ROS nobody", "has no DCM no-one");
        assertThat(partition.prepare(",\"required-bandwidth\":0").toString())
            .contains("400", "/input/required-bandwidth");
        assertThat(partition.ask("prepare", ",\"fabric\":\"none\"").toString())
            .contains("400", "/input/fabric: there is no fabric none", fabric.name());
        assertThat(restconf.post("operations/daqfabric-run-control:abort", "{\"input\":{\"partition\":\"x\"}}")
            .toString())
            .contains("400", "/input/request-id");
        assertThat(restconf.post("operations/daqfabric-run-control:abort", "{\"input\":{\"request-id\":\"x\"}}")
            .toString()).contains("400", "/input/partition");
        assertThat(restconf.post("operations/daqfabric-run-control:missed-events", "{\"input\":{\"sequence\":-1}}")
            .toString()).contains("400", "/input/sequence");
        assertThat(partition.ask("abort", "").status()).isEqualTo(200);
    }

    /** After a kill the controller restores every partition and the freeze, also in the middle of a prepare. */
    @Test
    void partitionsSurviveAKilledController(final Distribution controller) {
        final var dcms = dcms();
        final var partitions = IntStream.range(0, 5).mapToObj(number ->
            new RunPartition(restconf, "p" + number + "-" + fabric.name(), fabric.name())).toList();
        final var chosen = IntStream.range(0, 5).mapToObj(number ->
            RunPartition.list("dcm", dcms.subList(8 * number, 8 * number + 8))).toList();
        try {
            partitions.get(0).prepared(chosen.get(0)).ask("release", "").orFail();
            partitions.get(1).prepared(chosen.get(1));
            partitions.get(2).prepared(chosen.get(2)).armed();
            partitions.get(4).prepare(chosen.get(4)).orFail();
            partitions.get(3).prepared(chosen.get(3)).armed().started(77);
            final var shown = partitions.stream().map(RunPartition::json).toList();
            final var before = fabric.contents();
            partitions.get(4).ask("abort", "").orFail();
            final var operation = partitions.get(4).prepare(chosen.get(4)).orFail().json()
                .getAsJsonObject("daqfabric-run-control:output").get("operation").getAsString();
            try (var ping = fabric.ping(1)) {
                controller.kill();
                controller.start();
                fabric.awaitPhase("converged");
                ping.assertLostNothing();
            }
            for (int number = 0; number < 4; number++) {
                partitions.get(number).awaitLeaf("state", shown.get(number).get("state").getAsString());
            }
            partitions.get(3).awaitLeaf("health", "ok");
            final var running = partitions.get(3).json();
            // a switch that reconnects late is rightly reported as away
            List.of(running, shown.get(3)).forEach(each -> each.getAsJsonObject("run").remove("worst-health"));
            assertThat(running).isEqualTo(shown.get(3));
            partitions.get(4).awaitLeaf("state", "prepared");
            partitions.get(4).awaitDone(operation);
            fabric.contents().forEach((name, now) -> before.get(name).assertUntouchedIn(now, name));
            assertThat(restconf.patch(fabric.path(), "{\"daqfabric:fabric\":[{\"name\":\"" + fabric.name()
                + "\",\"link-capacity\":20}]}").toString()).contains("frozen", "run 77");
            partitions.get(3).ask("stop-run", "").orFail();
        } finally {
            partitions.forEach(each -> each.ask("abort", "").orFail());
        }
    }
}
