package org.daqfabric.impl.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.Subject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that read push no changes out; in tests the log goes to standard error. */
class ShellAuditTest {
    private static final Path ROLES =
        Path.of("../karaf/src/main/assembly/etc/org.apache.karaf.command.acl.daqfabric.cfg");
    private static final String VIEWER = "daqfabric-viewer";

    @RegisterExtension
    final AuditLines audited = new AuditLines();
    private final ShellAudit audit = new ShellAudit();

    /** As Karaf names them. */
    private record UserPrincipal(String getName) implements Principal {
    }

    private record RolePrincipal(String getName) implements Principal {
    }

    private List<String> commands(String kind) {
        return audited.of(kind).stream().map(ShellAuditTest::command).toList();
    }

    private static String command(JsonObject line) {
        return line.get("user").getAsString() + " " + line.get("command").getAsString() + " "
            + line.get("result").getAsString();
    }

    private void gives(String user, Runnable command, String... roles) {
        Set<Principal> principals = Stream.of(roles).map(RolePrincipal::new).collect(Collectors.toSet());
        principals.add(new UserPrincipal(user));
        Subject.callAs(new Subject(true, principals, Set.of(), Set.of()), () -> {
            command.run();
            return null;
        });
    }

    @Test
    void readsAreKeptApart() {
        gives("otto", () -> {
            audit.afterExecute(null, " daqfabric:show ", (Object) null);
            audit.afterExecute(null, "daqfabric:drain --yes p1s1", (Object) null);
            audit.afterExecute(null, "daqfabric:verify", new IllegalStateException("1 switch differs"));
            audit.afterExecute(null, "daqfabric:undrain p1s1", new IllegalStateException("nothing is done"));
            audit.afterExecute(null, "daqfabric:restore x", new SecurityException("Insufficient credentials."));
            audit.afterExecute(null, "daqfabric:drain --yes p1s2; x:list", new SecurityException("Insufficient"));
        }, VIEWER, "daqfabric-operator", "ssh");
        assertThat(commands("reads")).containsExactly("otto daqfabric:show ok",
            "otto daqfabric:verify failed: 1 switch differs",
            "otto daqfabric:restore x failed: Insufficient credentials.");
        assertThat(commands("changes")).containsExactly("otto daqfabric:drain --yes p1s1 ok",
            "otto daqfabric:undrain p1s1 failed: nothing is done",
            "otto daqfabric:drain --yes p1s2; x:list failed: Insufficient");
    }

    /** Whatever is tried. */
    @Test
    void aViewerPushesNothingOut() {
        gives("anna", () -> {
            audit.afterExecute(null, "daqfabric:show | grep phase", (Object) null);
            audit.afterExecute(null, "daqfabric:drain p1s1", new IllegalArgumentException("Command not found"));
        }, VIEWER, "ssh");
        assertThat(commands("reads")).hasSize(2);
        // who logs in without a role of ours is an administrator's choice, and may do what that says
        gives("bert", () -> audit.afterExecute(null, "shell:echo x", (Object) null), "ssh", "viewer");
        gives("karaf", () -> audit.afterExecute(null, "shell:echo x", (Object) null));
        assertThat(commands("changes")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = { "daqfabric:show; daqfabric:drain x", "daqfabric:show\ndaqfabric:drain x",
        "daqfabric:show $(daqfabric:drain x)", "daqfabric:show | shell:tac -f x", "daqfabric:show > x",
        "daqfabric:show `daqfabric:drain x`", "daqfabric:show {daqfabric:drain x}", "daqfabric:drain x", "show",
        "daqfabric:alarms --ack p1s1", "daqfabric:alarms --type x --purge", "daqfabric:alarms \"--purge\"",
        "daqfabric:alarms --\\purge", "daqfabric:showx", "x = daqfabric:show" })
    void whatMayChangeSomethingIsNoRead(String line) {
        assertThat(ShellAudit.isRead(line)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = { "daqfabric:show", "daqfabric:links --fabric demo p1l1:to-p1s1", "daqfabric:alarms --all",
        "daqfabric:rules p1l1 10.2.1.1" })
    void whatReadsIsOne(String line) {
        assertThat(ShellAudit.isRead(line)).isTrue();
    }

    /** The distribution says what a viewer may do. */
    @Test
    void readsAreWhatViewersMayDo() throws IOException {
        Properties roles = new Properties();
        try (Reader text = Files.newBufferedReader(ROLES)) {
            roles.load(text);
        }
        assertThat(roles.stringPropertyNames().stream().filter(name -> name.indexOf('[') < 0)
            .filter(name -> Arrays.asList(roles.getProperty(name).split(", ")).contains(VIEWER)))
            .containsExactlyInAnyOrderElementsOf(ShellAudit.READS);
        String operates = roles.stringPropertyNames().stream().filter(name -> name.startsWith("alarms["))
            .collect(Collectors.joining()).replaceAll(".*--\\(([a-z|]+)\\).*", "$1");
        assertThat(operates.split("\\|")).hasSizeGreaterThan(5).allSatisfy(option ->
            assertThat(ShellAudit.isRead("daqfabric:alarms --" + option)).isFalse());
    }
}
