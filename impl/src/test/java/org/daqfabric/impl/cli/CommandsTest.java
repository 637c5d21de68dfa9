package org.daqfabric.impl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.support.CommandException;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.plan.TraceResult;
import org.daqfabric.api.plan.TraceResult.Way;
import org.daqfabric.api.program.SwitchRules;
import org.daqfabric.api.program.SwitchRules.GroupEntry;
import org.daqfabric.api.program.SwitchRules.RuleEntry;
import org.daqfabric.api.program.SwitchRules.State;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.engine.HostFabrics;
import org.daqfabric.impl.engine.TestFabrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How commands find what their arguments name, and what they show. */
class CommandsTest extends CommandFixture {
    static Stream<FabricCommand> commandsOfOneFabric() {
        PlanCommand plan = new PlanCommand();
        plan.fail = List.of("leaf-1-1");
        TraceCommand trace = new TraceCommand();
        trace.ros = "ros-1-01";
        trace.dcm = "dcm-1-01-001";
        DrainCommand drain = new DrainCommand();
        drain.parts = List.of("spine-1-1");
        drain.yes = true;
        RulesCommand rules = new RulesCommand();
        rules.switchName = "leaf-1-1";
        return Stream.of(new SwitchesCommand(), new LinksCommand(), new PlacementCommand(), new VerifyCommand(),
            new ResyncCommand(), new RebalanceCommand(), plan, trace, drain, rules, new TopologyCommand(),
            new ScheduleCommand());
    }

    /** The only fabric need not be named; with several, an existing one must be named. */
    @ParameterizedTest
    @MethodSource("commandsOfOneFabric")
    void fabricIsTheOnlyOneOrNamed(FabricCommand command) throws CommandException {
        assertRefused(command, "no fabric is configured");
        configure("one");
        assertThat(run(command)).isNotBlank();
        configure("other");
        assertRefused(command, "name one with --fabric; configured: one, other");
        command.fabric = "nobody";
        assertRefused(command, "there is no fabric nobody; configured: one, other");
        command.fabric = "other";
        assertThat(run(command)).isNotBlank();
        command.json = true;
        assertThat(JsonParser.parseString(run(command)).getAsJsonObject().get("fabric").getAsString())
            .isEqualTo("other");
    }

    /** Without a name, show and doctor cover all fabrics. */
    @Test
    void showAndDoctorCoverAllFabrics() throws CommandException {
        assertThat(run(new ShowCommand())).startsWith("No fabric is configured");
        configure("one", "other");
        assertThat(run(new ShowCommand()).lines().filter(line -> line.startsWith("fabric "))).hasSize(2);
        ShowCommand other = new ShowCommand();
        other.fabric = "other";
        assertThat(run(other)).startsWith("fabric       other\n");
        assertThat(run(new DoctorCommand())).isEqualTo("OK       clock: right\n");
        DoctorCommand ofOne = new DoctorCommand();
        ofOne.fabric = "one";
        run(ofOne);
        ofOne.fabric = "none";
        assertRefused(ofOne, "there is no fabric none");
        assertThat(service.requests).containsExactly("examine all", "examine one");
    }

    /** An unknown name is refused with the existing names, and no switch is asked anything. */
    @Test
    void unknownNamesAreRefused() {
        configure("one");
        SwitchesCommand switches = new SwitchesCommand();
        switches.switches = List.of("leaf-1-1", "nobody");
        switches.switches = List.of("leaf-1-1", "--json");
        assertRefused(switches, "options come before names: put --json right after the command");
        switches.switches = List.of("leaf-1-1", "nobody");
        assertRefused(switches,
            "fabric one has no switch nobody; its switches: leaf-1-1, rack-1-01, ros-1-01, spine-1-1");
        VerifyCommand verify = new VerifyCommand();
        verify.switches = List.of("nobody");
        assertRefused(verify, "has no switch nobody");
        PlacementCommand placement = new PlacementCommand();
        placement.dcms = List.of("\u001b[2J");
        assertRefused(placement, "fabric one has no DCM ?[2J; its DCMs: ");
        LinksCommand links = new LinksCommand();
        links.links = List.of("leaf-1-1:nowhere");
        assertRefused(links, "fabric one has no link leaf-1-1:nowhere; its links: leaf-1-1:h1, leaf-1-1:r1");
        links.links = List.of("x".repeat(100_000));
        assertRefused(links, "xxx…; its switches: ");
        assertThat(service.requests).isEmpty();
    }

    /** A long list of names is cut. */
    @Test
    void longListsAreCut() {
        service.specs.put("fig64", TestFabrics.fig64(2, 6, 12));
        PlacementCommand placement = new PlacementCommand();
        placement.dcms = List.of("nobody");
        assertRefused(placement, " and 306 more");
    }

    /** Arguments select what is shown or requested; a link is found by either end. */
    @Test
    void argumentsSelectWhatIsShown() throws CommandException {
        configure("one");
        LinksCommand links = new LinksCommand();
        links.links = List.of("leaf-1-1:r1");
        assertThat(run(links).lines().skip(1)).singleElement().asString().startsWith("ros-1-01:p1 ");
        links.links = List.of("spine-1-1", "ros-1-01:p1");
        assertThat(run(links).lines().skip(1)).hasSize(2);
        VerifyCommand verify = new VerifyCommand();
        verify.switches = List.of("spine-1-1", "leaf-1-1");
        run(verify);
        assertThat(service.requests).containsExactly("verify one [leaf-1-1, spine-1-1]");
    }

    /** Rules are shown with what is installed where that differs, and the command fails then. */
    @Test
    void rulesThatDifferFail() throws CommandException {
        configure("one");
        RulesCommand rules = new RulesCommand();
        rules.switchName = "leaf-1-1";
        rules.address = "10.0.0.1";
        service.rules = new SwitchRules("leaf-1-1", List.of(
            new RuleEntry(State.INSTALLED, 2000, "priority=2000,nw_dst=10.0.0.1", 0xdaf0L << 48, "output:1",
                "output:1"), new GroupEntry(State.FOREIGN, "7", "", "type=ff")), "", 0);
        assertThat(run(rules).lines().filter(line -> line.startsWith("installed"))).singleElement().asString()
            .doesNotContain("output:1  output:1");
        assertThat(service.requests).containsExactly("rules leaf-1-1 Optional[10.0.0.1]");
        service.rules = new SwitchRules("leaf-1-1", List.of(
            new GroupEntry(State.MISSING, "3657433089", "type=ff,bucket=watch_port:1,actions=output:1", "")), "", 0);
        assertThatThrownBy(() -> run(rules)).hasMessageContaining("daqfabric:resync corrects it");
        service.rules = new SwitchRules("leaf-1-1", List.of(), "it is off", 0);
        assertThatThrownBy(() -> run(rules)).hasMessageContaining("leaf-1-1 could not be read");
        rules.address = "10.0.0";
        assertRefused(rules, "'10.0.0' is not an IP address");
        rules.switchName = "nobody";
        assertRefused(rules, "has no switch nobody");
    }

    /** A comparison with findings shows them and fails; with --json it prints nothing else. */
    @Test
    void findingsAreFailures() {
        configure("one");
        service.verification = new Verification(List.of("leaf-1-1"), List.of(new Finding("leaf-1-1", Finding.Kind.GROUP,
            Finding.What.EXCESS, "0xdaf", "")), 0, 0, List.of());
        VerifyCommand verify = command(new VerifyCommand());
        assertThatThrownBy(verify::execute).isInstanceOf(CommandException.class)
            .hasMessageContaining("daqfabric:resync");
        assertThat(console.toString(StandardCharsets.UTF_8)).contains("leaf-1-1  group  excess  0xdaf");
        verify.json = true;
        assertThatThrownBy(verify::execute).isInstanceOfSatisfying(CommandException.class,
            failure -> assertThat(failure.getNiceHelp()).isEmpty());
    }

    /** A trace shows both directions, and fails if a packet is lost. */
    @Test
    void traceShowsBothDirections() throws CommandException {
        configure("one");
        TraceCommand trace = new TraceCommand();
        trace.ros = "ros-1-01";
        trace.dcm = NameLookup.dcms(service.spec("one")).findFirst().orElseThrow();
        assertThat(run(trace)).startsWith("ros-1-01 to " + trace.dcm + ": arrives\n").contains(
            "leaf-1-1  r1  s1   3               priority=1,ip,nw_dst=10.2.1.1 actions=group:3");
        service.traced = new TraceResult(service.traced.now(), Optional.of(new Way(
            FakeFabricService.hops("no rule in leaf-1-1"), FakeFabricService.hops(""))),
            Optional.of(service.traced.now()));
        trace.fail = List.of("spine-1-1");
        assertThat(run(trace)).contains("by the switches themselves: does not arrive: no rule in leaf-1-1",
            "the same after the controller's repair");
        service.traced = new TraceResult(new Way(FakeFabricService.hops("no rule"), FakeFabricService.hops("")),
            Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> command(trace).execute()).hasMessageContaining("do not arrive");
        trace.dcm = "nobody";
        assertRefused(trace, "has no DCM nobody");
        trace.ros = "nobody";
        assertRefused(trace, "has no ROS nobody; its ROS: ros-1-01");
    }

    /** A host that is neither ROS nor DCM may be at either end. */
    @Test
    void traceKnowsOtherHosts() throws CommandException {
        service.specs.put("hosts", HostFabrics.with(TestFabrics.prototype(), List.of()));
        TraceCommand trace = new TraceCommand();
        trace.ros = "host-1";
        trace.dcm = "guest-2";
        assertThat(run(trace)).startsWith("host-1 to guest-2: arrives\n");
        trace.dcm = "nobody";
        assertRefused(trace, "has no DCM or other host nobody; its DCMs and other hosts: dcm-1-01-001");
        assertThat(completed(new RosOrHostCompleter(), "host-", "daqfabric:trace", "host-"))
            .containsExactly("host-1 ", "host-2 ");
        assertThat(completed(new DcmOrHostCompleter(), "guest-", "daqfabric:trace", "host-1", "guest-"))
            .containsExactly("guest-1 ", "guest-2 ");
    }

    /** Partitions of all fabrics, or of one. */
    @Test
    void runShowsPartitions() throws CommandException {
        configure("one", "other");
        RunCommand partitions = new RunCommand();
        partitions.fabric = "one";
        assertThat(run(partitions)).isEqualTo("""
            PARTITION  FABRIC  STATE    HEALTH        ROS  DCMS  NEEDS  HAS   OPERATION
            p          one     running  insufficient    1     2  12.0   10.0  prepare running 40 %
            p: run 7 since 2026-11-21T10:11:12.345Z: 0 repairs, 0 DCMs moved, at least 10.0 Gbps, health
            insufficient at worst
            p: prepare: waits for leaf-1-1
            p: bandwidth p: 12 Gbps are needed and 10 there: mend the links
            """);
        partitions.fabric = null;
        assertThat(run(partitions).lines().filter(line -> line.contains(" running  "))).hasSize(2);
        partitions.fabric = "nobody";
        assertRefused(partitions, "there is no fabric nobody");
    }

    /** An internal failure is reported in one line. */
    @Test
    void failureIsReportedInOneLine() {
        configure("one");
        service.failure = new NotDoneException("fabric one has no state yet: try again in a moment");
        assertRefused(new ShowCommand(), "try again in a moment");
        service.failure = new IllegalStateException("broken");
        assertThatThrownBy(() -> command(new ShowCommand()).execute()).isInstanceOf(CommandException.class)
            .hasMessage("failed: java.lang.IllegalStateException: broken; the log has more");
    }

    /** Names are completed from the named fabric, or from all fabrics if none is named. */
    @Test
    void namesAreCompleted() {
        configure("one");
        service.specs.put("other", TestFabrics.regular("other", 1, 1, 3, 1, 1, 1));
        assertThat(completed(new FabricCompleter(), "", "x")).containsExactly("one ", "other ");
        assertThat(completed(new SwitchCompleter(), "leaf", "daqfabric:switches", "leaf"))
            .containsExactly("leaf-1-1 ", "leaf-1-2 ", "leaf-1-3 ");
        assertThat(completed(new SwitchCompleter(), "leaf", "daqfabric:switches", "--fabric", "one", "leaf"))
            .containsExactly("leaf-1-1 ");
        assertThat(completed(new SwitchOrLinkCompleter(), "ros-2", "daqfabric:links", "-f", "other", "ros-2"))
            .containsExactly("ros-2-01 ", "ros-2-01:p1 ");
        assertThat(completed(new DcmCompleter(), "nothing", "x", "nothing")).isEmpty();
    }

    private List<String> completed(NameCompleter completer, String begun, String... words) {
        completer.fabrics = service;
        CommandLine line = (CommandLine) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {CommandLine.class}, (proxy, method, arguments) -> switch (method.getName()) {
                case "getArguments" -> words;
                case "getCursorArgument" -> begun;
                case "getArgumentPosition" -> begun.length();
                case "getBufferPosition" -> begun.length();
                default -> 0;
            });
        List<String> candidates = new ArrayList<>();
        completer.complete(null, line, candidates);
        return candidates;
    }

    /** Left-over bridges of all fabrics or one, with the time since when they are to be removed. */
    @Test
    void orphansShowsWhatIsLeftOver() throws CommandException {
        service.pending = List.of(new PendingRemoval(new MarkedBridge("node-1", "br-daq", "one"), Optional.empty(),
            Instant.parse("2026-11-23T10:00:00Z")));
        assertThat(run(new OrphansCommand())).contains("node-1  br-daq  one     pending since 2026-11-23T10:00:00Z",
            "node-2  br-daq  other   not asked for");
        configure("one");
        OrphansCommand ofOne = new OrphansCommand();
        ofOne.fabric = "one";
        assertThat(run(ofOne)).contains("node-1").doesNotContain("node-2");
        service.pending = List.of();
        assertThat(run(ofOne)).contains("No bridge is left over");
    }
}
