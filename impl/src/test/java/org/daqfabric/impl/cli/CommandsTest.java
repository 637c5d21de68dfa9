package org.daqfabric.impl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.CommandException;
import org.daqfabric.api.FabricService;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.plan.Effect;
import org.daqfabric.api.plan.Effect.Count;
import org.daqfabric.api.plan.Effect.CutOff;
import org.daqfabric.api.plan.Effect.Move;
import org.daqfabric.api.plan.Effect.Place;
import org.daqfabric.api.plan.Effect.SwitchChange;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.TraceResult;
import org.daqfabric.api.plan.TraceResult.Hop;
import org.daqfabric.api.plan.TraceResult.Hops;
import org.daqfabric.api.plan.TraceResult.Way;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.run.Concern;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.run.RunRecord;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.engine.TestFabrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What commands make of what they are given. */
class CommandsTest {
    private final FakeService service = new FakeService();
    private final ByteArrayOutputStream console = new ByteArrayOutputStream();
    /** What the operator says; null if there is none. */
    private String answer;

    private static final Effect EFFECT = new Effect(9, List.of(new SwitchChange("leaf-1-1", Optional.empty(),
        new Count(3, 0, 2), new Count(0, 4, 0), Count.NONE, Count.NONE, 9)),
        List.of(new Move("dcm-1", new Place(1, OptionalInt.of(1)), new Place(1, OptionalInt.of(2))),
            new Move("dcm-2", new Place(1, OptionalInt.of(1)), new Place(1, OptionalInt.of(2))),
            new Move("dcm-3", new Place(2, OptionalInt.empty()), new Place(0, OptionalInt.empty()))),
        List.of(new CutOff("dcm-3", 0)), new Capacity(20, 20, "a:b -> c:d", 1), new Capacity(10, 20, "", 0.5));

    /** Fabrics that stand still. */
    private static final class FakeService implements FabricService {
        private final SortedMap<String, FabricSpec> specs = new TreeMap<>();
        private final List<String> asked = new ArrayList<>();
        private RuntimeException failure;
        private TraceResult traced = new TraceResult(new Way(hops(""), hops("")), Optional.empty(), Optional.empty());
        private Verification verification = new Verification(List.of(), List.of(), 0, 1, List.of());

        @Override
        public SortedSet<String> fabrics() {
            return new TreeSet<>(specs.keySet());
        }

        @Override
        public FabricSpec spec(String fabric) {
            return specs.get(fabric);
        }

        @Override
        public FabricState state(String fabric) {
            if (failure != null) {
                throw failure;
            }
            return ShellStates.converged(specs.get(fabric));
        }

        @Override
        public Verification verify(String fabric, Set<String> switches) {
            asked.add("verify " + fabric + " " + new TreeSet<>(switches));
            return verification;
        }

        @Override
        public Verification resync(String fabric, Set<String> switches) {
            asked.add("resync " + fabric + " " + new TreeSet<>(switches));
            return verification;
        }

        @Override
        public int rebalance(String fabric, OptionalInt most) {
            asked.add("rebalance " + fabric + " " + most);
            return 2;
        }

        @Override
        public Effect plan(String fabric, WhatIf question) {
            asked.add("plan " + question.drain() + question.undrain() + question.fail());
            return EFFECT;
        }

        @Override
        public TraceResult trace(String fabric, String ros, String dcm, FabricParts fail) {
            asked.add("trace " + ros + " " + dcm + " " + fail);
            return traced;
        }

        @Override
        public void setAdminState(String fabric, FabricParts parts, AdminState state) {
            if (failure != null) {
                throw failure;
            }
            asked.add(state + " " + parts);
        }

        @Override
        public List<PartitionState> partitions() {
            return List.of(partition("p", "one"), partition("q", "other"));
        }

        @Override
        public List<Advice> examine(Optional<String> fabric) {
            asked.add("examine " + fabric.orElse("all"));
            return List.of(new Advice(Advice.Severity.OK, "clock", "right", ""));
        }
    }

    private static PartitionState partition(String name, String fabric) {
        Instant now = ShellStates.SINCE;
        Condition condition = new Condition(10, 20, List.of(new Concern(Concern.Kind.BANDWIDTH, name, "12 Gbps are needed"
            + " and 10 there: mend the links")));
        Partition partition = Partition.idle(name, now).prepared(fabric, "physics", new Selection(
            new TreeSet<>(Set.of("r")), new TreeSet<>(Set.of("d", "e"))), 12,
            new Operation("id", "prepare", Operation.Status.RUNNING, 40, "waits for leaf-1-1"), now)
            .started(RunRecord.begin(7, now, condition), now);
        return new PartitionState(partition, Optional.of(condition));
    }

    private static Hops hops(String problem) {
        return new Hops(List.of(new Hop("leaf-1-1", "r1", "s1", "priority=1,ip,nw_dst=10.2.1.1 actions=group:3", "3", "")),
            problem);
    }

    private void configure(String... names) {
        for (String name : names) {
            FabricSpec spec = TestFabrics.regular(name, 1, 2, 1, 1, 1, 2);
            service.specs.put(name, spec);
        }
    }

    private <C extends FabricCommand> C command(C command) {
        command.fabrics = service;
        PrintStream out = new PrintStream(console, true, StandardCharsets.UTF_8);
        command.session = (Session) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Session.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "getConsole" -> out;
                case "readLine" -> {
                    if (answer == null) {
                        throw new UnsupportedOperationException();
                    }
                    yield answer;
                }
                default -> null;
            });
        return command;
    }

    private String run(FabricCommand command) throws CommandException {
        console.reset();
        command(command).execute();
        return console.toString(StandardCharsets.UTF_8);
    }

    static Stream<FabricCommand> ofOneFabric() {
        PlanCommand plan = new PlanCommand();
        plan.fail = List.of("leaf-1-1");
        TraceCommand trace = new TraceCommand();
        trace.ros = "ros-1-01";
        trace.dcm = "dcm-1-01-001";
        DrainCommand drain = new DrainCommand();
        drain.parts = List.of("spine-1-1");
        drain.yes = true;
        return Stream.of(new SwitchesCommand(), new LinksCommand(), new PlacementCommand(), new VerifyCommand(),
            new ResyncCommand(), new RebalanceCommand(), plan, trace, drain);
    }

    /** The one fabric needs no name; of several one must be named, and only one there is. */
    @ParameterizedTest
    @MethodSource("ofOneFabric")
    void theFabricIsFound(FabricCommand command) throws CommandException {
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
        assertThat(JsonParser.parseString(run(command)).getAsJsonObject().get("fabric").getAsString()).isEqualTo("other");
    }

    private void assertRefused(FabricCommand command, String why) {
        console.reset();
        assertThatThrownBy(() -> command(command).execute()).isInstanceOfSatisfying(CommandException.class, failure ->
            assertThat(failure.getNiceHelp()).contains(why).doesNotContain("Exception").doesNotContain("\n"));
        assertThat(console.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    /** Without a name all fabrics are shown, and examined. */
    @Test
    void showAndDoctorTakeAll() throws CommandException {
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
        assertThat(service.asked).containsExactly("examine all", "examine one");
    }

    /** Wrong names are answered by those there are, and nothing is asked of switches. */
    @Test
    void unknownNamesAreRefused() {
        configure("one");
        SwitchesCommand switches = new SwitchesCommand();
        switches.switches = List.of("leaf-1-1", "nobody");
        switches.switches = List.of("leaf-1-1", "--json");
        assertRefused(switches, "options come before names: put --json right after the command");
        switches.switches = List.of("leaf-1-1", "nobody");
        assertRefused(switches, "fabric one has no switch nobody; its switches: leaf-1-1, rack-1-01, ros-1-01, spine-1-1");
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
        assertThat(service.asked).isEmpty();
    }

    /** Of many names some are listed. */
    @Test
    void longListsAreCut() {
        service.specs.put("fig64", TestFabrics.fig64(2, 6, 12));
        PlacementCommand placement = new PlacementCommand();
        placement.dcms = List.of("nobody");
        assertRefused(placement, " and 306 more");
    }

    /** Arguments say what is shown and asked; a link is found by either end. */
    @Test
    void argumentsChoose() throws CommandException {
        configure("one");
        LinksCommand links = new LinksCommand();
        links.links = List.of("leaf-1-1:r1");
        assertThat(run(links).lines().skip(1)).singleElement().asString().startsWith("ros-1-01:p1 ");
        links.links = List.of("spine-1-1", "ros-1-01:p1");
        assertThat(run(links).lines().skip(1)).hasSize(2);
        VerifyCommand verify = new VerifyCommand();
        verify.switches = List.of("spine-1-1", "leaf-1-1");
        run(verify);
        assertThat(service.asked).containsExactly("verify one [leaf-1-1, spine-1-1]");
    }

    /** A comparison that finds something shows it and fails; as JSON it prints nothing else. */
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

    /** What a drain would do is shown, and it is done when the operator says so, and only then. */
    @Test
    void drainingAsks() throws CommandException {
        configure("one");
        DrainCommand drain = new DrainCommand();
        drain.parts = List.of("spine-1-1", "leaf-1-1:r1");
        answer = "no";
        assertThatThrownBy(() -> command(drain).execute()).hasMessage("nothing is done");
        answer = null;
        assertThatThrownBy(() -> command(drain).execute()).hasMessageContaining("add --yes");
        assertThat(service.asked).noneMatch(each -> each.startsWith("DRAINED"));
        answer = " Yes ";
        assertThat(run(drain)).isEqualTo("""
            before: 20.0 Gbps (100 %), bottleneck a:b -> c:d
            after:  10.0 Gbps (50 %)
            9 messages to 1 switch, 3 DCMs move

            FROM       TO         DCMS  NAMES
            plane 2    no path       1  dcm-3
            spine-1-1  spine-1-2     2  dcm-1, dcm-2

            Not reached by every ROS any more:
            DCM    ROS
            dcm-3    0

            SWITCH    BRIDGE  RULES  GROUPS  DAQRINGS  PORTS  MESSAGES
            leaf-1-1          +3 -2  ~4                              9
            Now drained: spine-1-1, ros-1-01:p1. daqfabric:show tells how far it is.
            """);
        assertThat(service.asked).last().isEqualTo("DRAINED Parts[switches=[spine-1-1], links=[ros-1-01:p1]]");

        drain.json = true;
        assertRefused(drain, "add --yes");
        drain.yes = true;
        assertThat(JsonParser.parseString(run(drain)).getAsJsonObject().getAsJsonObject("effect").get("messages").getAsInt())
            .isEqualTo(9);
        drain.json = false;
        service.failure = new NotDoneException("/daqfabric:fabrics/fabric[name='one']: a run goes on: stop it first");
        assertThatThrownBy(() -> command(drain).execute()).hasMessageContaining("a run goes on: stop it first");
    }

    /** What is so already is left alone. */
    @Test
    void nothingIsDoneTwice() throws CommandException {
        configure("one");
        UndrainCommand undrain = new UndrainCommand();
        undrain.parts = List.of("spine-1-1", "ros-1-01:p1");
        assertThat(run(undrain)).startsWith("Nothing to do");
        assertThat(service.asked).isEmpty();
        undrain.parts = List.of("nobody");
        assertRefused(undrain, "has no switch nobody");
    }

    /** A plan needs a question; its parts are told by kind. */
    @Test
    void plansAreAskedFor() throws CommandException {
        configure("one");
        PlanCommand plan = new PlanCommand();
        assertRefused(plan, "--drain, --undrain or --fail");
        plan.drain = List.of("spine-1-1");
        plan.fail = List.of("leaf-1-1:r1");
        assertThat(run(plan)).contains("spine-1-1  spine-1-2     2  dcm-1, dcm-2");
        assertThat(service.asked).containsExactly("plan Parts[switches=[spine-1-1], links=[]]"
            + "Parts[switches=[], links=[]]Parts[switches=[], links=[ros-1-01:p1]]");
        plan.undrain = List.of("nobody");
        assertRefused(plan, "has no switch nobody");
        plan.names = List.of("one", "--drain", "spine-1-1");
        assertRefused(plan, "one is one word too many");
    }

    /** A trace is shown both ways, and fails where a packet is lost. */
    @Test
    void tracesAreShown() throws CommandException {
        configure("one");
        TraceCommand trace = new TraceCommand();
        trace.ros = "ros-1-01";
        trace.dcm = NameLookup.dcms(service.spec("one")).findFirst().orElseThrow();
        assertThat(run(trace)).startsWith("ros-1-01 to " + trace.dcm + ": arrives\n").contains(
            "leaf-1-1  r1  s1   3               priority=1,ip,nw_dst=10.2.1.1 actions=group:3");
        service.traced = new TraceResult(service.traced.now(), Optional.of(new Way(hops("no rule in leaf-1-1"), hops(""))),
            Optional.of(service.traced.now()));
        trace.fail = List.of("spine-1-1");
        assertThat(run(trace)).contains("by the switches themselves: does not arrive: no rule in leaf-1-1",
            "the same after the controller's repair");
        service.traced = new TraceResult(new Way(hops("no rule"), hops("")), Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> command(trace).execute()).hasMessageContaining("do not arrive");
        trace.dcm = "nobody";
        assertRefused(trace, "has no DCM nobody");
        trace.ros = "nobody";
        assertRefused(trace, "has no ROS nobody; its ROS: ros-1-01");
    }

    @Test
    void rebalancingIsLimited() throws CommandException {
        configure("one");
        RebalanceCommand rebalance = new RebalanceCommand();
        assertThat(run(rebalance)).startsWith("2 DCMs move");
        rebalance.maxMoves = 3;
        run(rebalance);
        assertThat(service.asked).containsExactly("rebalance one OptionalInt.empty", "rebalance one OptionalInt[3]");
        rebalance.maxMoves = -1;
        assertRefused(rebalance, "--max-moves -1 is below 0");
    }

    /** Partitions of all fabrics, or of one. */
    @Test
    void partitionsAreShown() throws CommandException {
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

    /** What goes wrong in us is told in one line. */
    @Test
    void failuresAreOneLine() {
        configure("one");
        service.failure = new NotDoneException("fabric one has no state yet: try again in a moment");
        assertRefused(new ShowCommand(), "try again in a moment");
        service.failure = new IllegalStateException("broken");
        assertThatThrownBy(() -> command(new ShowCommand()).execute()).isInstanceOf(CommandException.class)
            .hasMessage("failed: java.lang.IllegalStateException: broken; the log has more");
    }

    /** Names are completed of the fabric that is named, and of all while none is. */
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
}
