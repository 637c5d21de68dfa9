package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the Karaf shell, as an operator has them over SSH. */
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

    /** Whatever was asked for, the log has no trace of it. */
    @AfterEach
    void nothingIsLogged() {
        assertThat(log.news()).filteredOn(entry -> entry.hasTrace() || entry.level().equals("ERROR")).isEmpty();
    }

    private static String show(final String command) {
        final var answer = shell.run("daqfabric:" + command).orFail();
        assertThat(answer.lines()).isNotEmpty().allMatch(line -> line.codePointCount(0, line.length()) <= WIDTH);
        return answer.output();
    }

    /** Tables and JSON tell what the state tree tells. */
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

    /** A difference is found, fails the command, and is put right. */
    @Test
    void switchesAreComparedAndPutRight() {
        assertThat(show("verify")).contains("compared: as they must be", "every packet arrives");
        fabric.ofctl("p1s1", "add-flow", "cookie=0xdaf0000000000001,priority=7,ip,nw_dst=10.9.9.9,actions=drop");
        final var found = shell.run("daqfabric:verify p1s1");
        assertThat(found.code()).isNotZero();
        assertThat(found.output()).contains("p1s1    rule  excess  priority=7", "daqfabric:resync");
        final var json = shell.run("daqfabric:verify --json p1s1");
        assertThat(json.code()).isNotZero();
        assertThat(json.json().getAsJsonArray("findings")).hasSize(1);
        assertThat(show("verify p1s2")).contains("1 switch compared: as they must be");
        assertThat(show("resync p1s1")).contains("p1s1    rule  excess  priority=7");
        assertThat(show("verify p1s1")).contains("as they must be");
    }

    /** The doctor finds nothing that does not work, and then a switch that goes by a wrong name. */
    @Test
    void doctorFindsTheNodeWithAWrongName() {
        assertThat(show("doctor")).contains("OK       OVSDB listener: open on tcp:", "OK       OpenFlow listener: open on",
            "OK       configuration datastore: can be written", "WARNING  switches of " + fabric.name()
            + ": Open vSwitch knows no daqrings on p1l1, p1l2", "every ROS has a path");
        assertThat(shell.run("daqfabric:doctor --json").orFail().json().getAsJsonArray("findings")).hasSizeGreaterThan(5);

        final var systemId = fabric.name() + ".r1-1";
        fabric.vsctl("r1-1", "set", "Open_vSwitch", ".", "external_ids:system-id=" + fabric.name() + "-r1-1");
        try {
            await("the doctor to find the node").atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
                final var found = shell.run("daqfabric:doctor");
                assertThat(found.code()).isNotZero();
                assertThat(found.output().replaceAll("\\s+", " ")).contains("ERROR switch r1-1 of " + fabric.name());
            });
        } finally {
            fabric.vsctl("r1-1", "set", "Open_vSwitch", ".", "external_ids:system-id=" + systemId);
        }
        fabric.awaitPhase("converged");
    }

    /** What is not there is refused, with what is. */
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
        """)
    void unknownNamesAreRefused(final String command, final String why) {
        final var answer = shell.run("daqfabric:" + command);
        assertThat(answer.code()).isNotZero();
        assertThat(answer.lines()).hasSize(1).first().asString().contains(why);
    }

    /** So is what no command understands. */
    @ParameterizedTest
    @ValueSource(strings = {"show --nonsense", "show surplus", "switches -f", "switches ''", "verify --json --json x",
        "doctor surplus", "links :", "links a:b:c"})
    void nonsenseIsRefused(final String command) {
        final var answer = shell.run("daqfabric:" + command);
        assertThat(answer.code()).as(answer.output()).isNotZero();
        assertThat(answer.output()).doesNotContain("Exception", "\tat ");
    }
}
