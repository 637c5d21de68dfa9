package org.daqfabric.impl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.engine.Fabrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What commands make of what they are given. */
class CommandsTest {
    private final FakeService service = new FakeService();
    private final ByteArrayOutputStream console = new ByteArrayOutputStream();

    /** Fabrics that stand still. */
    private static final class FakeService implements FabricService {
        private final SortedMap<String, FabricSpec> specs = new TreeMap<>();
        private final List<String> asked = new ArrayList<>();
        private RuntimeException failure;
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
            return States.converged(specs.get(fabric));
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
        public List<Advice> examine(Optional<String> fabric) {
            asked.add("examine " + fabric.orElse("all"));
            return List.of(new Advice(Advice.Severity.OK, "clock", "right", ""));
        }
    }

    private void configure(String... names) {
        for (String name : names) {
            FabricSpec spec = Fabrics.regular(name, 1, 2, 1, 1, 1, 2);
            service.specs.put(name, spec);
        }
    }

    private <C extends FabricCommand> C command(C command) {
        command.fabrics = service;
        PrintStream out = new PrintStream(console, true, StandardCharsets.UTF_8);
        command.session = (Session) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Session.class},
            (proxy, method, arguments) -> method.getName().equals("getConsole") ? out : null);
        return command;
    }

    private String run(FabricCommand command) throws CommandException {
        console.reset();
        command(command).execute();
        return console.toString(StandardCharsets.UTF_8);
    }

    static Stream<FabricCommand> ofOneFabric() {
        return Stream.of(new SwitchesCommand(), new LinksCommand(), new PlacementCommand(), new VerifyCommand(),
            new ResyncCommand());
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
        service.specs.put("fig64", Fabrics.fig64(2, 6, 12));
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
        service.specs.put("other", Fabrics.regular("other", 1, 1, 3, 1, 1, 1));
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
