package org.daqfabric.impl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.junit.jupiter.api.Test;

/** Every command has a role in the distribution's settings, and the documentation says it. ShellRolesIT tries them. */
class ShellRolesTest {
    private static final Path ETC = Path.of("../karaf/src/main/assembly/etc");
    private static final Pattern ROW =
        Pattern.compile("(?m)^\\| `daqfabric:([^`]+)` \\| (\\w+) \\| (\\w+) \\| yes \\|$");
    /** What each of the groups of users.properties has, in the order of the columns. */
    private static final List<String> ROLES = List.of("daqfabric-viewer", "daqfabric-operator");
    /** Those who may do what a viewer may not. */
    private static final Pattern ARGUMENTS = Pattern.compile("alarms\\[/\\(\\?s\\)(.*)/\\]");

    private static Map<String, Set<String>> settings() throws IOException {
        Properties file = new Properties();
        try (Reader text = Files.newBufferedReader(ETC.resolve("org.apache.karaf.command.acl.daqfabric.cfg"))) {
            file.load(text);
        }
        Map<String, Set<String>> roles = new TreeMap<>();
        file.forEach((key, value) -> roles.put(key.toString(), Arrays.stream(value.toString().split(","))
            .map(String::strip).collect(Collectors.toCollection(TreeSet::new))));
        return roles;
    }

    private static Map<String, Class<?>> commands() {
        return new ClassFileImporter().importPackages("org.daqfabric.impl.cli").stream()
            .filter(each -> each.isAnnotatedWith(Command.class)).map(each -> each.reflect())
            .collect(Collectors.toMap(each -> each.getAnnotation(Command.class).name(), each -> each));
    }

    /** Karaf's own lists, of JMX among others, are for its own roles, which only administrators have. */
    @Test
    void onlyAdministratorsHaveKarafsOwnRoles() throws IOException {
        Properties groups = new Properties();
        try (Reader text = Files.newBufferedReader(ETC.resolve("users.properties"))) {
            groups.load(text);
        }
        assertThat(groups).hasSize(3)
            .containsEntry("_g_:viewergroup", "group,daqfabric-viewer,ssh")
            .containsEntry("_g_:operatorgroup", "group,daqfabric-viewer,daqfabric-operator,ssh")
            .containsKey("_g_:admingroup");
    }

    @Test
    void everyCommandHasARole() throws IOException {
        Map<String, Set<String>> roles = settings();
        assertThat(roles.keySet()).filteredOn(each -> each.indexOf('[') < 0).hasSizeGreaterThan(20)
            .containsExactlyInAnyOrderElementsOf(commands().keySet());
        assertThat(roles.values()).allSatisfy(each -> assertThat(each).contains("admin")
            .isSubsetOf("admin", "daqfabric-operator", "daqfabric-viewer"));
    }

    /** What alarms does to an alarm is for operators, whatever else the command says, on however many lines. */
    @Test
    void viewersDoNothingToAlarms() throws IOException {
        Pattern forOperators = settings().entrySet().stream()
            .filter(each -> !each.getValue().contains(ROLES.getFirst()))
            .map(each -> ARGUMENTS.matcher(each.getKey())).filter(Matcher::matches)
            .map(each -> Pattern.compile(each.group(1), Pattern.DOTALL)).findFirst().orElseThrow();
        Set<String> reading = Set.of("--all", "--type", "--reason");
        List<String> options = Arrays.stream(commands().get("alarms").getDeclaredFields())
            .filter(field -> field.isAnnotationPresent(Option.class))
            .map(field -> field.getAnnotation(Option.class).name()).toList();
        assertThat(options).containsAll(reading).hasSizeGreaterThan(8).allSatisfy(option ->
            assertThat(forOperators.matcher("[p1l1:to-p1s1, " + option + ", --reason, two\nlines]").matches())
                .as(option).isEqualTo(!reading.contains(option)));
    }

    @Test
    void theTableOfTheDocumentationSaysIt() throws IOException {
        Map<String, List<Boolean>> told = new TreeMap<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("../docs/security.md")));
        while (rows.find()) {
            told.put(rows.group(1), List.of(rows.group(2).equals("yes"), rows.group(3).equals("yes")));
        }
        Map<String, List<Boolean>> expected = new TreeMap<>();
        settings().forEach((command, roles) -> {
            boolean views = roles.contains(ROLES.getFirst());
            List<Boolean> may = List.of(views, views || roles.contains(ROLES.getLast()));
            expected.put(command.indexOf('[') < 0 ? command : "alarms --ack", may);
        });
        assertThat(told).isEqualTo(expected);
    }
}
