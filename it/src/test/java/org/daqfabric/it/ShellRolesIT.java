package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who may give which command of the shell, as docs/security.md says it: every row of its table by every role. */
@ExtendWith(SharedController.class)
class ShellRolesIT {
    private static final Pattern ROW = Pattern.compile("\\| `(daqfabric:[^`]+)` \\|(.*)\\|");
    /** In the order of the columns. */
    private static final List<String> ROLES = List.of("viewer", "operator", "admin");
    /** Each would tell or change what is none of a viewer's or operator's business. */
    private static final List<String> OF_KARAF = List.of("shell:cat etc/users.properties", "shell:exec id",
        "shell:head etc/users.properties", "shell:less etc/users.properties", "config:list",
        "config:edit org.daqfabric", "bundle:list", "feature:list", "system:shutdown -f", "system:property x y",
        "jaas:realm-list", "log:get", "shell:new java.util.Date", "shell:java java.lang.Object",
        "shell:source etc/shell.init.script", "$.context bundles", "service:list", "system:start-level 50",
        "daqfabric:show --help > data/written", "jaas:users", "shell:grep karaf etc/users.properties");
    private static final Map<String, Shell> SHELLS = new HashMap<>();

    @BeforeAll
    static void makeUsers(final Distribution controller) throws IOException {
        for (var role : ROLES) {
            Files.writeString(controller.home().resolve("etc/users.properties"),
                "shell-" + role + " = secret,_g_:" + role + "group\n", StandardOpenOption.APPEND);
            SHELLS.put(role, new Shell(controller, "shell-" + role));
        }
    }

    @AfterAll
    static void logOut() {
        SHELLS.values().forEach(Shell::close);
    }

    private static boolean isRefused(final Shell.Answer answer) {
        return answer.code() != 0 && Pattern.compile("Insufficient credentials|Command not found|CommandNotFound")
            .matcher(answer.output()).find();
    }

    /** With --help a command does nothing; who may give it is asked before. */
    @Test
    void everyCommandIsForWhomTheTableSays() throws IOException {
        final var rows = new ArrayList<List<String>>();
        for (var line : Files.readAllLines(Distribution.projectRoot().resolve("docs/security.md"))) {
            final var row = ROW.matcher(line);
            if (row.matches()) {
                final var columns = new ArrayList<>(List.of(row.group(1)));
                columns.addAll(Arrays.stream(row.group(2).split("\\|")).map(String::strip).toList());
                rows.add(columns);
            }
        }
        assertThat(rows).hasSizeGreaterThan(20);
        final var soft = new SoftAssertions();
        for (var row : rows) {
            for (var role : ROLES) {
                final var answer = SHELLS.get(role).run(row.getFirst() + " --help");
                final var what = role + ": " + answer.command() + ": " + answer.output();
                if (row.get(1 + ROLES.indexOf(role)).equals("yes")) {
                    soft.assertThat(isRefused(answer)).as(what).isFalse();
                    soft.assertThat(answer.output()).as(what).contains("DESCRIPTION", "SYNTAX");
                } else {
                    soft.assertThat(isRefused(answer)).as(what).isTrue();
                }
            }
        }
        soft.assertAll();
    }

    @Test
    void everythingElseIsForAdministrators(final Distribution controller) {
        final var soft = new SoftAssertions();
        for (var command : OF_KARAF) {
            for (var role : List.of("viewer", "operator")) {
                final var answer = SHELLS.get(role).run(command);
                soft.assertThat(isRefused(answer)).as(role + ": " + command + ": " + answer.output()).isTrue();
            }
        }
        soft.assertAll();
        assertThat(controller.home().resolve("data/written")).doesNotExist();
        assertThat(SHELLS.get("admin").run("shell:cat etc/users.properties").orFail().output())
            .contains("shell-viewer");
    }

    /** They look, one typed command after another, and log out by Ctrl-D. */
    @Test
    void viewersWorkAtATerminal() {
        assertThat(SHELLS.get("viewer").type("daqfabric:run", "daqfabric:drain x", "\u0004"))
            .containsPattern("PARTITION|No partition").contains("Command not found"); // other tests may have some
    }

    @Test
    void nobodyHasTheControllersFiles() {
        for (var role : ROLES) {
            assertThat(SHELLS.get(role).serves("sftp")).as(role).isFalse();
        }
    }
}
