package org.daqfabric.impl.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.run.RunState;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.Finding;
import org.daqfabric.impl.controller.spi.Recorder.LoopState;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MetricsTest {
    private static final FabricSpec SPEC = TestFabrics.prototype();

    private final Metrics metrics = new Metrics();

    private ExpositionText text() {
        return ExpositionText.of(metrics.snapshots());
    }

    private double value(String sample) {
        return text().value(sample);
    }

    private void report(FabricSpec spec, FabricState state) {
        metrics.publish(state);
        metrics.settled(spec, MetricsStates.counts(spec, 100));
    }

    /** Drops are told with the run they were in, as long as the fabric keeps them. */
    @Test
    void dropsAreToldByRun() {
        FabricState state = MetricsStates.any(new Random(1), SPEC);
        report(SPEC, MetricsStates.with(state, List.of(MetricsStates.drop("p1s1", 100, 7, 5),
            MetricsStates.drop("p1l1", 200, 7, 6), MetricsStates.drop("p1l1", 300, 8, 1))));
        String run = "{fabric=\"prototype\",partition=\"det\",run=\"7\"}";
        assertThat(value("daqfabric_run_daqring_drop_episodes" + run)).isEqualTo(2);
        assertThat(value("daqfabric_run_daqring_dropped_packets" + run)).isEqualTo(11);
        assertThat(value("daqfabric_run_daqring_drop_timestamp_seconds" + run)).isEqualTo(200);
        assertThat(value("daqfabric_run_daqring_drop_episodes" + run.replace("7", "8"))).isEqualTo(1);
    }

    /** Sums and single samples of random fabrics match their states. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void samplesMatchTheState(long seed) {
        Random random = new Random(seed);
        for (int number = 0; number < 30; number++) {
            FabricSpec spec = TestFabrics.generated(random);
            FabricState state = MetricsStates.any(random, spec);
            report(spec, state);
            ExpositionText text = text();
            String of = "{fabric=\"generated\"";
            for (Phase phase : Phase.values()) {
                assertThat(text.value("daqfabric_phase" + of + ",phase=\"" + LabelText.of(phase) + "\"}"))
                    .isEqualTo(state.phase() == phase ? 1 : 0);
            }
            assertThat(sum(text, "daqfabric_switches_expected")).isEqualTo(spec.switches().size());
            assertThat(sum(text, "daqfabric_switches_up")).isEqualTo(state.switches().stream()
                .filter(each -> each.ovsdbConnected() && each.openflowConnected()).count());
            assertThat(sum(text, "daqfabric_links_up")).isEqualTo(sum(text, "daqfabric_link_up")).isEqualTo(
                state.links().stream().filter(each -> each.operState() == OperState.UP).count());
            assertThat(sum(text, "daqfabric_links_unknown")).isEqualTo(
                state.links().stream().filter(each -> each.operState() == OperState.UNKNOWN).count());
            assertThat(sum(text, "daqfabric_links_expected"))
                .isEqualTo(text.values("daqfabric_link_up").size() + sum(text, "daqfabric_links_unknown"))
                .isEqualTo(state.links().stream().filter(each -> each.operState() != OperState.DRAINED).count());
            assertThat(sum(text, "daqfabric_switch_error")).isEqualTo(
                state.switches().stream().filter(each -> !each.lastError().isEmpty()).count());
            assertThat(sum(text, "daqfabric_port_fault")).isEqualTo(
                state.ports().stream().filter(each -> !each.fault().isEmpty()).count());
            assertThat(sum(text, "daqfabric_port_speed_bytes_per_second")).isEqualTo(
                state.ports().stream().mapToDouble(each -> each.speed().orElse(0) * 125e6).sum());
            state.switches().forEach(each -> {
                String labels = of + ",switch=\"" + each.name() + "\"}";
                assertThat(text.value("daqfabric_rules_realised" + labels)).isEqualTo(each.rules());
                assertThat(text.value("daqfabric_rules_desired" + labels)).isEqualTo(30);
            });
            state.spines().forEach(each -> assertThat(text.value("daqfabric_spine_dcms" + of + ",plane=\""
                + each.plane() + "\",spine=\"" + each.spine() + "\"}")).isEqualTo(each.dcms()));
            assertThat(text.value("daqfabric_bandwidth_achievable_bytes_per_second" + of + "}"))
                .isEqualTo(state.capacity().bandwidth() * 125e6);
            metrics.withdraw("generated");
            assertThat(text().values()).containsOnlyKeys("daqfabric_active");
        }
    }

    private static double sum(ExpositionText text, String name) {
        return text.values(name).values().stream().mapToDouble(each -> each).sum();
    }

    /** Counters never decrease, also when daqrings disappear, return and restart at 0. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void countersNeverFall(long seed) {
        Random random = new Random(seed);
        Map<String, Double> before = new HashMap<>();
        for (int step = 0; step < 60; step++) {
            FabricState state = MetricsStates.any(random, SPEC);
            metrics.publish(random.nextBoolean() ? state
                : MetricsStates.with(state, MetricsStates.repair("cause " + step, step, step + 1, random.nextBoolean()
                ? step + 3 : -1)));
            metrics.settled(SPEC, MetricsStates.counts(SPEC, step));
            metrics.compared("prototype", random.nextBoolean(), 2, List.of(new Finding("leaf-1-1",
                MetricsStates.pick(random, Finding.Kind.values()), MetricsStates.pick(random, Finding.What.values()),
                "", "")));
            metrics.waited("prototype", Duration.ofNanos(random.nextInt() / 2));
            Map<String, Double> now = text().values();
            // counters of single daqrings are passed on as the switch reports them
            now.keySet().removeIf(sample -> sample.startsWith("daqfabric_daqring_")
                || !sample.contains("_total{") && !sample.contains("_count{") && !sample.contains("_sum{"));
            assertThat(now.keySet()).containsAll(before.keySet());
            before.forEach((sample, value) -> assertThat(now.get(sample)).as(sample).isGreaterThanOrEqualTo(value));
            before = now;
        }
        assertThat(before.get(
            "daqfabric_switch_daqring_dropped_packets_total{fabric=\"prototype\",switch=\"rack-1-01\"}"))
            .isGreaterThan(500);
    }

    /** A repair counts when it is confirmed, and once however often it is published; a superseded one does not. */
    @Test
    void confirmedRepairsCountOnce() {
        FabricState state = MetricsStates.any(new Random(1), SPEC);
        report(SPEC, state);
        String whole = "daqfabric_repair_seconds_count{fabric=\"prototype\",phase=\"whole\"}";
        assertThat(value(whole)).isZero();
        metrics.publish(MetricsStates.with(state, MetricsStates.repair("a", 0, 0, -1)));
        metrics.publish(MetricsStates.with(state, MetricsStates.repair("a", 0, 4, -1)));
        assertThat(value("daqfabric_repair_running{fabric=\"prototype\"}")).isEqualTo(1);
        assertThat(value(whole)).isZero();
        metrics.publish(MetricsStates.with(state, MetricsStates.repair("a", 0, 4, 9)));
        metrics.publish(MetricsStates.with(state, MetricsStates.repair("a", 0, 4, 9)));
        metrics.publish(MetricsStates.with(state, MetricsStates.repair("b", 20, 20, -1)));
        metrics.publish(MetricsStates.with(state, MetricsStates.repair("c", 30, 30, 31)));
        assertThat(value(whole)).isEqualTo(2);
        assertThat(value("daqfabric_repairs_total{fabric=\"prototype\"}")).isEqualTo(3);
        assertThat(value("daqfabric_repair_seconds_sum{fabric=\"prototype\",phase=\"whole\"}"))
            .isCloseTo(0.010, within(1e-9));
        assertThat(value("daqfabric_repair_seconds_sum{fabric=\"prototype\",phase=\"compute\"}"))
            .isCloseTo(0.004, within(1e-9));
        assertThat(value("daqfabric_repair_seconds_sum{fabric=\"prototype\",phase=\"confirm\"}"))
            .isCloseTo(0.006, within(1e-9));
        assertThat(value("daqfabric_repair_seconds_bucket{fabric=\"prototype\",phase=\"whole\",le=\"0.001\"}"))
            .isEqualTo(1);
        assertThat(value("daqfabric_repair_moved_dcms_total{fabric=\"prototype\"}")).isEqualTo(6);
        assertThat(value("daqfabric_repair_messages_total{fabric=\"prototype\"}")).isEqualTo(14);
        assertThat(value("daqfabric_repair_running{fabric=\"prototype\"}")).isZero();
    }

    /** Comparisons count by source, and a switch with several findings once. */
    @Test
    void findingsCount() {
        report(SPEC, MetricsStates.any(new Random(1), SPEC));
        Finding finding = new Finding("leaf-1-1", Finding.Kind.RULE, Finding.What.MISSING, "", "");
        metrics.compared("prototype", true, 5, List.of(finding, finding));
        metrics.compared("prototype", false, 1, List.of());
        metrics.compared("nobody", false, 1, List.of(finding));
        ExpositionText text = text();
        assertThat(text.value("daqfabric_comparisons_total{fabric=\"prototype\",source=\"operator\"}")).isEqualTo(5.0);
        assertThat(text.value("daqfabric_comparisons_total{fabric=\"prototype\",source=\"controller\"}"))
            .isEqualTo(1.0);
        assertThat(text.value("daqfabric_comparisons_with_findings_total{fabric=\"prototype\",source=\"operator\"}"))
            .isEqualTo(1.0);
        assertThat(text.value(
            "daqfabric_findings_total{fabric=\"prototype\",source=\"operator\",kind=\"rule\",what=\"missing\"}"))
            .isEqualTo(2.0);
        assertThat(text.value(
            "daqfabric_findings_total{fabric=\"prototype\",source=\"controller\",kind=\"rule\",what=\"missing\"}"))
            .isEqualTo(0.0);
        assertThat(text().text()).doesNotContain("nobody");
    }

    /** Only ports of links are reported, with their plane; a switch that was removed is not. */
    @Test
    void linkPortsAreReportedWithTheirPlane() {
        FabricState state = MetricsStates.any(new Random(1), SPEC);
        report(SPEC, state);
        metrics.counted("prototype", "leaf-2-1", Instant.ofEpochSecond(7),
            Map.of("s1", Map.of("rx_bytes", 5L, "tx_dropped", 2L, "rx_errors", -1L), "br-daq", Map.of("rx_bytes", 9L)));
        metrics.counted("prototype", "gone", Instant.ofEpochSecond(7), Map.of());
        String port = "{fabric=\"prototype\",switch=\"leaf-2-1\",port=\"s1\",plane=\"2\"}";
        ExpositionText text = text();
        assertThat(text.value("daqfabric_port_received_bytes_total" + port)).isEqualTo(5.0);
        assertThat(text.value("daqfabric_port_transmitted_dropped_total" + port)).isEqualTo(2.0);
        assertThat(text().text()).doesNotContain("br-daq").doesNotContain("gone")
            .doesNotContain("daqfabric_port_received_errors_total" + port);
        assertThat(text().values("daqfabric_statistics_read_timestamp_seconds")).hasSize(1).containsValue(7.0);
    }

    /** Above the limit there are only the sums per switch. */
    @Test
    void manyDaqringsAreReportedPerSwitch() {
        FabricSpec spec = TestFabrics.regular("prototype", 1, 1, 1, 1, 1, RingSamples.MAX_RINGS + 1);
        FabricState state = MetricsStates.any(new Random(1), spec);
        report(spec, state);
        assertThat(text().names()).contains("daqfabric_switch_daqring_dropped_packets_total")
            .noneMatch(name -> name.startsWith("daqfabric_daqring_"));
        report(SPEC, MetricsStates.any(new Random(1), SPEC));
        assertThat(text().names()).contains("daqfabric_daqring_dropped_packets_total");
    }

    /** 28 racks, 100 ROS and 1120 DCMs are as many series as the docs say. */
    @Test
    void numberOfSeriesIsBounded() {
        FabricSpec spec = TestFabrics.fig64(2, 4, 40);
        report(spec, MetricsStates.any(new Random(1), spec));
        Map<String, Long> all = Map.of("rx_bytes", 1L, "tx_bytes", 1L, "rx_packets", 1L, "tx_packets", 1L,
            "rx_dropped", 1L, "tx_dropped", 1L, "rx_errors", 1L, "tx_errors", 1L,
            "daqfabric-socket-drops", 1L);
        Map<String, Map<String, Map<String, Long>>> ports = new HashMap<>();
        spec.links().forEach(link -> List.of(link.end(), link.peer()).forEach(end ->
            ports.computeIfAbsent(end.switchName(), name -> new HashMap<>()).put(end.port(), all)));
        ports.forEach((name, of) -> metrics.counted(spec.name(), name, Instant.EPOCH, of));
        ExpositionText text = text();
        assertThat(text.values()).hasSizeBetween(10_000, 10_500);
        assertThat(text.text().length()).isLessThan(1_000_000);
    }

    /** Samples of partitions: state, required and achievable bandwidth, health. */
    @Test
    void partitionsAreReported() {
        Partition idle = Partition.idle("spare", Instant.EPOCH);
        Partition running = new Partition("physics", "prototype", RunState.RUNNING, Instant.EPOCH, "",
            "", Selection.NONE, 40, false, Optional.empty(), Optional.empty(), List.of());
        metrics.partitionsChanged(List.of(new PartitionState(running, Optional.of(new Condition(80, 96, List.of()))),
            new PartitionState(idle, Optional.empty())));
        String of = "{fabric=\"prototype\",partition=\"physics\"";
        ExpositionText text = text();
        assertThat(text.value("daqfabric_run_state" + of + ",state=\"running\"}")).isEqualTo(1.0);
        assertThat(text.value("daqfabric_run_state" + of + ",state=\"idle\"}")).isEqualTo(0.0);
        assertThat(text.value("daqfabric_run_state{fabric=\"\",partition=\"spare\",state=\"idle\"}")).isEqualTo(1.0);
        assertThat(text.value("daqfabric_run_health" + of + ",health=\"ok\"}")).isEqualTo(1.0);
        assertThat(text.value("daqfabric_partition_required_bytes_per_second" + of + "}")).isEqualTo(5e9);
        assertThat(text.value("daqfabric_partition_achievable_bytes_per_second" + of + "}")).isEqualTo(1e10);
    }

    /** The state of an event loop is asked for at each scrape, also of a fabric that has published nothing. */
    @Test
    void loopIsAskedAtEachScrape() {
        AtomicLong standing = new AtomicLong();
        metrics.loopBegun("stuck", () -> new LoopState(Duration.ofMillis(standing.get()), 3, 2, Duration.ofSeconds(4)));
        assertThat(value("daqfabric_loop_standing_seconds{fabric=\"stuck\"}")).isZero();
        standing.set(5500);
        assertThat(value("daqfabric_loop_standing_seconds{fabric=\"stuck\"}")).isEqualTo(5.5);
        assertThat(value("daqfabric_event_failures_total{fabric=\"stuck\"}")).isEqualTo(3);
        assertThat(value("daqfabric_loop_rebuilds_total{fabric=\"stuck\"}")).isEqualTo(2);
        assertThat(value("daqfabric_decision_unstored_seconds{fabric=\"stuck\"}")).isEqualTo(4);
        metrics.loopEnded("stuck");
        assertThat(text().values()).containsOnlyKeys("daqfabric_active");
    }
}
