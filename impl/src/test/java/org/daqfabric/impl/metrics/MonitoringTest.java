package org.daqfabric.impl.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FreeSpace;
import org.daqfabric.impl.controller.spi.Recorder.LoopState;
import org.daqfabric.impl.engine.TestFabrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of metrics in the docs, the alerts and the dashboard agree with what is scraped. */
class MonitoringTest {
    private static final Path DOCS = Path.of("../docs");
    private static final Path MONITORING = DOCS.resolve("monitoring");
    private static final Pattern ROW = Pattern.compile(
        "\\| `(daqfabric_\\w+)` \\|([^|]*)\\|([^|]*)\\|([^|]*)\\|[^|]*\\|");
    private static final Pattern ALARM_ROW = Pattern.compile("^\\| `([a-z-]+)` \\| (?:critical|major|minor|warning)");
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    private static final Pattern USE = Pattern.compile("(daqfabric_\\w+)(?:\\{([^}]*)\\})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+) *(?:!=|=~|!~|=)");

    /** A label that prometheus.yml gives the targets, and so every metric. */
    private static final String INSTALLATION = "installation";

    /** A scrape with samples of every metric. */
    private static ExpositionText completeScrape() {
        FabricSpec spec = TestFabrics.prototype();
        Random random = new Random(1);
        Metrics metrics = new Metrics();
        FabricState state = Stream.generate(() -> MetricsStates.any(random, spec))
            .filter(each -> each.links().stream().anyMatch(link -> link.operState() == OperState.UP)).findFirst()
            .orElseThrow();
        metrics.publish(MetricsStates.with(state, List.of(MetricsStates.drop("leaf-1-1", 1, 7, 1))));
        metrics.settled(spec, MetricsStates.counts(spec, 10));
        metrics.counted(spec.name(), "leaf-1-1", Instant.EPOCH, Map.of("s1", Map.of("rx_bytes", 1L, "tx_bytes", 1L,
            "rx_packets", 1L, "tx_packets", 1L, "rx_dropped", 1L, "tx_dropped", 1L, "rx_errors", 1L, "tx_errors", 1L,
            "daqfabric-socket-drops", 1L)));
        metrics.loopBegun(spec.name(), () -> new LoopState(Duration.ZERO, 1, 1, Duration.ZERO));
        metrics.shardRepaired("default-config");
        metrics.refusals("openflow", () -> new TreeMap<>(Map.of("time", 1L)));
        metrics.logins(() -> new TreeMap<>(Map.of("wrong", 1L)));
        metrics.disks(() -> List.of(FreeSpace.of(List.of("data", "state"), "/dev/sda1", 1)));
        metrics.listChanged(List.of(new Alarm(new AlarmId(AlarmResource.fabric(spec.name()), AlarmType.LOOP_STANDS),
            AlarmSeverity.CRITICAL, "", false, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, List.of(), List.of())));
        metrics.partitionsChanged(List.of(new PartitionState(Partition.idle("physics", Instant.EPOCH),
            Optional.of(new Condition(1, 2, List.of())))));
        return ExpositionText.of(metrics.snapshots());
    }

    /** The page lists exactly the existing metrics, in order, with labels and a meaning. */
    @Test
    void pageListsEveryMetric() throws IOException {
        Map<String, List<String>> listed = new LinkedHashMap<>();
        for (MatchResult row : ROW.matcher(Files.readString(DOCS.resolve("metrics.md"))).results().toList()) {
            List<String> labels = new ArrayList<>();
            if (!row.group(2).contains("no labels")) {
                if (!row.group(2).contains("only")) {
                    labels.add("fabric");
                }
                NAME.matcher(row.group(2)).results().forEach(label -> labels.add(label.group(1)));
            }
            listed.put(row.group(1), labels);
            assertThat(row.group(4)).as("meaning of " + row.group(1)).isNotBlank();
        }
        Map<String, List<String>> known = Arrays.stream(Family.values())
            .collect(Collectors.toMap(Family::fullName, Family::labels, (a, b) -> a, LinkedHashMap::new));
        assertThat(listed).containsExactlyEntriesOf(known);
        assertThat(completeScrape().names()).isEqualTo(new TreeSet<>(listed.keySet()));
    }

    /** Alerts and dashboard query only existing metrics and labels. */
    @ParameterizedTest
    @ValueSource(strings = { "alerts.yml", "dashboard.json" })
    void queriedMetricsExist(String file) throws IOException {
        Map<String, Set<String>> known = Arrays.stream(Family.values()).flatMap(family ->
            (family.type() == Family.Type.HISTOGRAM ? Stream.of("_bucket", "_sum", "_count") : Stream.of(""))
                .map(suffix -> Map.entry(family.fullName() + suffix, family)))
            .collect(Collectors.toMap(Map.Entry::getKey, entry -> new TreeSet<>(entry.getValue().labels())));
        int uses = 0;
        for (String expression : expressions(file)) {
            for (MatchResult use : USE.matcher(expression).results().toList()) {
                assertThat(known).as(expression).containsKey(use.group(1));
                if (use.group(2) != null) {
                    LABEL.matcher(use.group(2)).results().map(label -> label.group(1))
                        .filter(label -> !label.equals(INSTALLATION))
                        .forEach(label -> assertThat(known.get(use.group(1))).as(expression).contains(label));
                }
                uses++;
            }
        }
        assertThat(uses).isGreaterThan(20);
    }

    private static List<String> expressions(String file) throws IOException {
        String text = Files.readString(MONITORING.resolve(file));
        if (!file.endsWith(".json")) {
            return List.of(text);
        }
        List<String> found = new ArrayList<>();
        collect(JsonParser.parseString(text), found);
        return found;
    }

    private static void collect(JsonElement json, List<String> found) {
        if (json instanceof JsonArray array) {
            array.forEach(each -> collect(each, found));
        } else if (json instanceof JsonObject object) {
            object.asMap().forEach((name, value) -> {
                if ((name.equals("expr") || name.equals("query")) && value.isJsonPrimitive()) {
                    found.add(value.getAsString());
                } else {
                    collect(value, found);
                }
            });
        }
    }

    /** Every metric with a suggested alert is used by a rule. */
    @Test
    void suggestedAlertsHaveRules() throws IOException {
        String rules = Files.readString(MONITORING.resolve("alerts.yml"));
        Files.readString(DOCS.resolve("metrics.md")).lines().filter(line -> ROW.matcher(line).matches())
            .map(line -> line.split("\\|")).filter(cells -> !cells[5].isBlank())
            .map(cells -> cells[1].replaceAll("[` ]", ""))
            .filter(name -> !name.equals(Family.GENERATION.fullName()))
            .forEach(name -> assertThat(rules).contains(name));
    }

    /** Every type of alarm has a row among the alarms of docs/operations.md, and a rule. */
    @Test
    void alarmsAreListedAndHaveRules() throws IOException {
        String rules = Files.readString(MONITORING.resolve("alerts.yml"));
        List<String> listed = Files.readString(DOCS.resolve("operations.md")).lines()
            .map(ALARM_ROW::matcher).filter(Matcher::find).map(row -> row.group(1)).toList();
        assertThat(Arrays.stream(AlarmType.values()).map(LabelText::of)).containsExactlyInAnyOrderElementsOf(listed)
            .allSatisfy(type -> assertThat(Pattern.compile("[\"|]" + type + "[\"|]").matcher(rules).find()).as(type)
                .isTrue());
    }

    @Test
    void rulesAreValidAndRaiseWhatTheyShould() throws Exception {
        promtool("", "check", "rules", "alerts.yml");
        promtool("", "test", "rules", "alerts-test.yml");
        promtool("", "check", "config", "prometheus.yml");
    }

    @Test
    void scrapeIsValid() throws Exception {
        promtool(completeScrape().text(), "check", "metrics");
    }

    private static void promtool(String input, String... arguments) throws Exception {
        Path own = Path.of("../.cache/promtool/usr/bin/promtool").toAbsolutePath();
        List<String> command = new ArrayList<>(List.of(Files.exists(own) ? own.toString() : "promtool"));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command).directory(MONITORING.toFile()).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new AssertionError("promtool is not there: run scripts/setup, which brings it", e);
        }
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes());
        }
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).doesNotContain("FAILED");
    }
}
