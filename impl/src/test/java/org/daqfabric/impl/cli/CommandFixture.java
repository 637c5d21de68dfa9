package org.daqfabric.impl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.CommandException;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.TestFabrics;

/** Runs commands against a {@link FakeFabricService} and a captured console. */
abstract class CommandFixture {
    final FakeFabricService service = new FakeFabricService();
    final ByteArrayOutputStream console = new ByteArrayOutputStream();
    /** What the operator answers at the prompt; null if there is no terminal. */
    String answer;

    void configure(String... names) {
        for (String name : names) {
            FabricSpec spec = TestFabrics.regular(name, 1, 2, 1, 1, 1, 2);
            service.specs.put(name, spec);
        }
    }

    <C extends FabricCommand> C command(C command) {
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

    String run(FabricCommand command) throws CommandException {
        console.reset();
        command(command).execute();
        return console.toString(StandardCharsets.UTF_8);
    }

    void assertRefused(FabricCommand command, String why) {
        console.reset();
        assertThatThrownBy(() -> command(command).execute()).isInstanceOfSatisfying(CommandException.class, failure ->
            assertThat(failure.getNiceHelp()).contains(why).doesNotContain("Exception").doesNotContain("\n"));
        assertThat(console.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
