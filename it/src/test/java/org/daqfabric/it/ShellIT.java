package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the Karaf shell over SSH. */
@ExtendWith(SharedController.class)
class ShellIT {
    private static final int WIDTH = 100;
    private static Shell shell;
    private static LabFabric fabric;
    private static ControllerLog log;

    @BeforeAll
    static void bringUp(final Lab lab, final Distribution controller) {
        fabric = lab.converged(lab.generate("shell", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2"));
        shell = new Shell(controller);
        log = new ControllerLog(controller);
    }

    @AfterAll
    static void logOut() {
        if (shell != null) {
            shell.close();
        }
    }

    /** No command, right or wrong, logs an error. */
    @AfterEach
    void nothingIsLogged() {
        assertThat(log.newEntries()).filteredOn(entry -> entry.isOurs()
            || entry.bundle().startsWith("org.apache.karaf"))
            .noneMatch(entry -> entry.hasTrace() || entry.level().equals("ERROR"));
    }

    private static String show(final String command) {
        final var answer = shell.run("daqfabric:" + command).orFail();
        assertThat(answer.lines()).isNotEmpty().allMatch(line -> line.codePointCount(0, line.length()) <= WIDTH);
        return answer.output();
    }

    /** Tables and JSON agree with the state tree. */
    @Test
    void fabricIsShown() {
        assertThat(show("show")).contains("fabric       " + fabric.name(), "phase        converged",
            "switches     " + fabric.file().switches().size() + ": ");
        assertThat(show("switches p1s1 p1l1").lines()).hasSize(3);
        assertThat(show("links p1s1").lines()).hasSize(3).anyMatch(line -> line.startsWith("p1l1:to-p1s1"));
        assertThat(show("placement h1-1d1").lines()).hasSize(2);
        assertThat(show("placement -f " + fabric.name())).contains("SPINE", "p2s2");

        final var state = fabric.state();
        final var overview = shell.run("daqfabric:show --json").orFail().json();
        assertThat(overview.get("phase").getAsString()).isEqualTo("converged");
        assertThat(overview.get("generation").getAsLong()).isEqualTo(state.generation());
        final var switches = shell.run("daqfabric:switches --json").orFail().json().getAsJsonArray("switches");
        assertThat(switches).extracting(each -> each.getAsJsonObject().get("name").getAsString())
            .containsExactlyInAnyOrderElementsOf(fabric.file().switches());
        final var links = shell.run("daqfabric:links --json").orFail().json().getAsJsonArray("links");
        assertThat(links.asList().stream().map(each -> each.getAsJsonObject().get("link").getAsString())
            .collect(Collectors.toSet())).isEqualTo(state.links("up"));
        final var dcms = shell.run("daqfabric:placement --json").orFail().json().getAsJsonArray("dcms");
        assertThat(dcms).hasSameSizeAs(state.placement().entrySet()).allSatisfy(each ->
            assertThat(each.getAsJsonObject().get("plane").getAsInt())
                .isEqualTo(state.placement().get(each.getAsJsonObject().get("dcm").getAsString()).plane()));
    }

    /** A difference is found, makes the command fail, and is corrected by resync. */
    @Test
    void differencesAreFoundAndCorrected() {
        assertThat(show("verify")).contains("compared: as they must be", "every packet arrives");
        // of groups, other than of rules, no switch reports what others change: nothing corrects it meanwhile
        fabric.ofctl("p1s1", "add-group", "group_id=" + 0xdaffff01L + ",type=all");
        final var found = shell.run("daqfabric:verify p1s1");
        assertThat(found.code()).isNotZero();
        assertThat(found.output()).contains("p1s1    group  excess  0xdaffff01", "daqfabric:resync");
        final var json = shell.run("daqfabric:verify --json p1s1");
        assertThat(json.code()).isNotZero();
        assertThat(json.json().getAsJsonArray("findings")).hasSize(1);
        assertThat(show("verify p1s2")).contains("1 switch compared: as they must be");
        assertThat(show("resync p1s1")).contains("p1s1    group  excess  0xdaffff01");
        assertThat(show("verify p1s1")).contains("as they must be");
    }

    /** doctor finds no error first, and then a node with a wrong system-id. */
    @Test
    void doctorFindsTheNodeWithAWrongName() {
        assertThat(show("doctor")).contains("OK       OVSDB listener: open on tcp:",
            "OK       OpenFlow listener: open on", "OK       configuration datastore: can be written",
            "WARNING  switches of " + fabric.name()
            + ": Open vSwitch knows no daqrings on p1l1, p1l2", "every ROS has a path");
        assertThat(shell.run("daqfabric:doctor --json").orFail().json().getAsJsonArray("findings"))
            .hasSizeGreaterThan(5);

        final var systemId = fabric.name() + ".r1-1";
        fabric.vsctl("r1-1", "set", "Open_vSwitch", ".", "external_ids:system-id=" + fabric.name() + "-r1-1");
        try {
            await("the doctor to find the node").atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                final var found = shell.run("daqfabric:doctor");
                assertThat(found.code()).isNotZero();
                assertThat(found.output().replaceAll("\\s+", " ")).contains("ERROR switch r1-1 of " + fabric.name());
            });
        } finally {
            fabric.vsctl("r1-1", "set", "Open_vSwitch", ".", "external_ids:system-id=" + systemId);
        }
        fabric.awaitPhase("converged");
    }

    /** A drain shows its effect and needs confirmation; undrain takes switch and link back. */
    @Test
    void drainIsShownConfirmedAndUndone() {
        final var plan = show("plan --drain p1s1");
        assertThat(plan).contains("before: ", "after:  ", "h1-1d1");
        final var unasked = shell.run("daqfabric:drain p1s1");
        assertThat(unasked.code()).isNotZero();
        assertThat(unasked.output()).contains(plan.lines().toList()).contains("nothing is done");
        assertThat(shell.run("daqfabric:drain --json p1s1").output()).contains("add --yes");
        assertThat(fabric.state().links("drained")).isEmpty();

        assertThat(show("drain --yes p1s1 p2l1:to-p2s1")).contains("Now drained: p1s1, p2l1:to-p2s1");
        fabric.awaitState("drained", state -> state.phase().equals("converged")
            && state.links("drained").equals(Set.of("p1l1:to-p1s1", "p1l2:to-p1s1", "p2l1:to-p2s1")));
        fabric.assertAllReachable();
        assertThat(show("drain --yes p1s1")).contains("already in that state");
        assertThat(show("doctor")).contains("NOTE     switch p1s1 of " + fabric.name() + ": is drained");
        assertThat(shell.run("daqfabric:plan --undrain p1s1 --json").orFail().json().getAsJsonArray("switches"))
            .isNotEmpty();

        final var done = shell.run("daqfabric:undrain --yes --json p1s1 p2s1:to-p2l1").orFail().json();
        assertThat(done.getAsJsonArray("changed")).extracting(each -> each.getAsString())
            .containsExactly("p1s1", "p2l1:to-p2s1");
        fabric.awaitState("as before", state -> state.phase().equals("converged") && state.links("drained").isEmpty());
        assertThat(show("rebalance --max-moves 0")).contains("Nothing moves");
        assertThat(shell.run("daqfabric:rebalance --json").orFail().json().has("moved-dcms")).isTrue();
        fabric.awaitPhase("converged");
    }

    /** At a terminal the command asks for confirmation, and obeys the answer. */
    @Test
    void answerAtTheTerminalDecides() {
        assertThat(shell.type("daqfabric:drain p2s2", "no", "logout")).contains("Go on? (yes/no)", "nothing is done");
        assertThat(fabric.state().links("drained")).isEmpty();
        assertThat(shell.type("daqfabric:drain p2s2", "yes", "logout"))
            .contains("Go on? (yes/no)", "Now drained: p2s2");
        fabric.awaitState("drained", state -> state.links("drained").equals(Set.of("p2l1:to-p2s2", "p2l2:to-p2s2")));
        show("undrain --yes p2s2");
        fabric.awaitState("as before", state -> state.phase().equals("converged") && state.links("drained").isEmpty());
    }

    /** Traces agree with Open vSwitch, and a trace with a failure shows the path after the repair. */
    @Test
    void packetsAreTraced() {
        final var traced = shell.run("daqfabric:trace --json r1-1 h2-1d1").orFail().json();
        assertThat(traced.getAsJsonObject("now").getAsJsonObject("to-dcm").getAsJsonArray("hops").asList().stream()
            .map(hop -> hop.getAsJsonObject().get("name").getAsString()).distinct())
            .containsExactlyElementsOf(fabric.trace("r1-1", "h2-1d1"));
        final var spine = fabric.trace("r1-1", "h2-1d1").get(2);
        assertThat(show("trace --fail " + spine + " r1-1 h2-1d1")).contains("r1-1 to h2-1d1: arrives",
            "r1-1 to h2-1d1 after the controller's repair: arrives");
        assertThat(shell.run("daqfabric:trace --fail h2-1 r1-1 h2-1d1").output()).contains("does not arrive");
        assertThat(show("plan --fail p1l1:to-p1s1")).contains("DCM");
    }

    /** Partitions are shown; during a run a drain is refused with the message of RESTCONF. */
    @Test
    void partitionsAreShown(final Restconf restconf) {
        final var name = "shell-" + fabric.name();
        final var partition = new RunPartition(restconf, name, fabric.name()).prepared("").armed().started(77);
        try {
            assertThat(show("run -f " + fabric.name())).contains(name, "running", "run 77 since ");
            assertThat(shown(name).getAsJsonObject("run").get("number").getAsInt()).isEqualTo(77);
            final var refused = shell.run("daqfabric:drain --yes p1s1");
            assertThat(refused.code()).isNotZero();
            assertThat(refused.output()).contains("run 77", "stop it first");
            final var rebalance = shell.run("daqfabric:rebalance");
            assertThat(rebalance.code()).isNotZero();
            assertThat(rebalance.output()).contains("stop the run first").doesNotContain("Exception");
        } finally {
            partition.ask("abort", "").orFail();
        }
        await("idle").untilAsserted(() -> assertThat(shown(name).get("state").getAsString()).isEqualTo("idle"));
        fabric.awaitPhase("converged");
    }

    private static JsonObject shown(final String name) {
        return shell.run("daqfabric:run --json").orFail().json().getAsJsonArray("partitions").asList().stream()
            .map(JsonElement::getAsJsonObject).filter(each -> each.get("name").getAsString().equals(name)).findFirst()
            .orElseThrow();
    }

    /** Unknown names are refused with the existing ones. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        show -f nobody      | there is no fabric nobody; configured: shell
        switches p1s1 p9s9  | has no switch p9s9; its switches: h1-1, h2-1, p1l1
        links p1l1:nowhere  | has no link p1l1:nowhere; its links: p1l1:to-h1-1
        links p9l9:nowhere  | has no link p9l9:nowhere; its links: h1-1:to-p1l1
        placement nobody    | has no DCM nobody; its DCMs: h1-1d1
        verify nobody       | has no switch nobody
        resync p1s1 nobody  | has no switch nobody
        doctor -f nobody    | there is no fabric nobody
        run -f nobody       | there is no fabric nobody
        plan --fail p1s9    | has no switch p1s9; its switches
        plan                | --drain, --undrain or --fail
        drain --yes p1s9    | has no switch p1s9
        drain --yes p1s1 a:b | has no link a:b
        undrain --yes p9    | has no switch p9
        rebalance -f nobody | there is no fabric nobody
        rebalance --max-moves -1 | is below 0
        trace nobody h1-1d1 | has no ROS nobody; its ROS: r1-1, r2-1
        trace r1-1 r2-1     | has no DCM r2-1
        trace --fail x:y r1-1 h1-1d1 | has no link x:y
        drain p1s1 --yes    | options come before names: put --yes
        show surplus        | surplus is one word too many
        plan shell --drain p1s1 | shell is one word too many
        """)
    void unknownNamesAreRefused(final String command, final String why) {
        final var answer = shell.run("daqfabric:" + command);
        assertThat(answer.code()).isNotZero();
        assertThat(answer.lines()).hasSize(1).first().asString().contains(why);
    }

    /** Invalid options and arguments are refused. */
    @ParameterizedTest
    @ValueSource(strings = {"show --nonsense", "switches -f", "switches ''", "verify --json --json x",
        "doctor surplus", "links :", "links a:b:c", "drain", "undrain --yes",
        "trace r1-1", "rebalance --max-moves many", "rebalance --max-moves 99999999999", "plan --drain", "run surplus"})
    void nonsenseIsRefused(final String command) {
        final var answer = shell.run("daqfabric:" + command);
        assertThat(answer.code()).as(answer.output()).isNotZero();
        assertThat(answer.output()).doesNotContain("Exception", "\tat ");
    }
}
