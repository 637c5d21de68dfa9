package org.daqfabric.impl.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.daqfabric.api.alarm.AlarmType;
import org.junit.jupiter.api.Test;

/**
 * Every type of alarm is raised and cleared by an integration test, which waits for both with {@code AlarmWatch}, or on
 * the three controllers of lab/tests/cluster.py. Its line in docs/operations.md is checked by {@code MonitoringTest}.
 */
class AlarmsOnTheLabTest {
    private static final Path TESTS = Path.of("../it/src/test/java/org/daqfabric/it");
    private static final Path OF_CLUSTERS = Path.of("../lab/tests/cluster.py");
    private static final Pattern RAISED = waiting("await_?[rR]aised", "false");
    private static final Pattern CLEARED = waiting("await_?[cC]leared", "true");

    /**
     * Such as {@code awaitRaised("link-down", ...)}, {@code awaitIn(restconf, "link-down", ..., false)}, and in Python
     * {@code await_raised("member-lost", ...)}.
     */
    private static Pattern waiting(final String method, final String last) {
        return Pattern.compile("\\b" + method + "\\(\"([a-z-]+)\"|\\bawaitIn\\([^;]*?\"([a-z-]+)\"[^;]*, " + last
            + "\\);");
    }

    private static List<String> waitedFor(final Pattern pattern) throws IOException {
        try (Stream<Path> sources = Files.list(TESTS)) {
            Stream<Path> tests = sources.filter(each -> each.toString().endsWith(".java"));
            return Stream.concat(tests, Stream.of(OF_CLUSTERS)).flatMap(each -> {
                try {
                    return pattern.matcher(Files.readString(each)).results().toList().stream();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }).map(found -> found.group(1) == null ? found.group(2) : found.group(1)).distinct().toList();
        }
    }

    @Test
    void everyTypeIsRaisedAndCleared() throws IOException {
        List<String> types = Arrays.stream(AlarmType.values())
            .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-')).toList();
        assertThat(waitedFor(RAISED)).containsExactlyInAnyOrderElementsOf(types);
        assertThat(waitedFor(CLEARED)).containsExactlyInAnyOrderElementsOf(types);
    }
}
