package org.daqfabric.impl.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmResource.Kind;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.run.Concern;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.api.state.FreeSpace;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.doctor.Diagnosis;
import org.daqfabric.impl.engine.doctor.DiagnosisInput;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Claim;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Listener;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Loop;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Machine;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Protocol;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Store;
import org.daqfabric.impl.engine.run.Assessment;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Alarms, doctor, metrics and run control's concerns say the same of generated states. */
class AlarmsAgreeTest {
    private static final int STATES = 20;

    private final FabricSpec spec = TestFabrics.prototype();
    private final Topology topology = new Topology(spec);

    private static DiagnosisInput input(Random random, FabricSpec spec, FabricState state,
            List<PartitionState> partitions) {
        return new DiagnosisInput(
            List.of(new ConfiguredFabric(spec, Optional.of(state), new Loop(random.nextInt(10), random.nextInt(2), 0,
                random.nextInt(2)), random.nextInt(600))),
            List.of(new Listener(Protocol.OVSDB, false, "10.0.0.1", false, 6640, random.nextBoolean()),
                new Listener(Protocol.OPENFLOW, false, "10.0.0.1", false, 6653, random.nextBoolean())),
            List.of(), Map.of(), List.of(), List.of(), new TreeMap<>(random.nextBoolean() ? Map.of()
                : Map.of("10.0.0.9", "no system-id")), claims(random, state), List.of(),
            new Machine(random.nextInt(1000), 1000, 0, random.nextInt(3), 2026),
            List.of(new Store("configuration", random.nextInt(2000), random.nextInt(3) == 0 ? "full" : "", false)),
            partitions, random.nextBoolean() ? "" : "in accounts: full",
            List.of(FreeSpace.of(List.of("data"), "one", random.nextLong(2 * FreeSpace.PLENTY)),
                FreeSpace.unknown(List.of("state"), "other", "no answer")).subList(0, random.nextInt(3)),
            new TreeMap<>(random.nextBoolean() ? Map.of() : Map.of("member-2", "10.0.0.2:2550")),
            random.nextBoolean() ? Set.of() : Set.of(state.switches().get(random.nextInt(3)).datapathId()));
    }

    /** Of a switch that the fabric has, or has not. */
    private static List<Claim> claims(Random random, FabricState state) {
        return random.nextBoolean() ? List.of() : List.of(new Claim(state.switches().stream()
            .skip(random.nextInt(3)).findFirst().map(SwitchState::datapathId).orElse(1L), "10.0.0.8", "", "silent"));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void neverDisagree(long seed) {
        Random random = new Random(seed);
        for (int turn = 0; turn < STATES; turn++) {
            FabricState state = MetricsStates.any(random, spec);
            Partition partition = partition();
            Condition condition = new Assessment().of(new FabricStatus(topology, UnusableLinks.ALL_UP, Placement.EMPTY,
                state, true), partition);
            DiagnosisInput input = input(random, spec, state,
                List.of(new PartitionState(partition, Optional.of(condition))));
            SortedMap<AlarmId, AlarmCondition> alarms = Diagnosis.alarms(input);
            assertDoctorSaysTheSame(input, alarms);
            assertMetricsSayTheSame(alarms);
            assertConcernsSayTheSame(condition, alarms.keySet());
        }
    }

    private Partition partition() {
        SortedSet<String> ros = new TreeSet<>();
        SortedSet<String> dcms = new TreeSet<>();
        topology.endpoints().values().forEach(host -> (host.isDcm() ? dcms : ros).add(host.name()));
        return new Partition("det", spec.name(), org.daqfabric.api.run.RunState.RUNNING, Instant.EPOCH, "", "",
            new Selection(ros, dcms), 0, true, Optional.empty(), Optional.empty(),
            List.of());
    }

    /** Each alarm is told by one finding as bad as it is; no other is bad but those that sum up the alarms of many. */
    private static void assertDoctorSaysTheSame(DiagnosisInput input, SortedMap<AlarmId, AlarmCondition> alarms) {
        assertThat(bad(input, alarms.keySet())).isEmpty();
        for (AlarmCondition each : alarms.values()) {
            Set<AlarmId> others = new TreeSet<>(alarms.keySet());
            others.remove(each.id());
            assertThat(bad(input, others)).as(each.toString()).singleElement().satisfies(advice ->
                assertThat(advice.severity() == Advice.Severity.ERROR)
                    .isEqualTo(each.severity().compareTo(AlarmSeverity.MAJOR) >= 0));
        }
    }

    private static List<Advice> bad(DiagnosisInput input, Set<AlarmId> shelved) {
        return Diagnosis.of(input, shelved).stream()
            .filter(each -> each.severity() == Advice.Severity.ERROR || each.severity() == Advice.Severity.WARNING)
            .filter(each -> !each.what().startsWith("waits for switches")
                && !each.what().startsWith("works, degraded")
                && !each.what().equals("all its links are down")).toList();
    }

    private static void assertMetricsSayTheSame(SortedMap<AlarmId, AlarmCondition> alarms) {
        Metrics metrics = new Metrics();
        metrics.listChanged(alarms.values().stream().map(each -> new Alarm(each.id(), each.severity(), each.text(),
            false, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, List.of(), List.of())).toList());
        Set<String> exported = ExpositionText.of(metrics.snapshots()).text().lines()
            .filter(line -> line.startsWith(Family.ALARM.fullName() + "{")).collect(Collectors.toSet());
        assertThat(exported).hasSameSizeAs(alarms.keySet());
        assertThat(alarms.values()).allSatisfy(each -> assertThat(exported).anyMatch(line ->
            line.contains("type=\"" + LabelText.of(each.id().type()) + "\"")
                && line.contains("resource=\"" + each.id().resource() + "\"")
                && line.contains("severity=\"" + LabelText.of(each.severity()) + "\"") && line.endsWith(" 1.0")));
    }

    /** Each link and switch that the partition needs is a concern if and only if it has an alarm. */
    private void assertConcernsSayTheSame(Condition condition, Set<AlarmId> alarms) {
        Set<String> concerns = condition.concerns().stream()
            .filter(each -> each.kind() == Concern.Kind.LINK || each.kind() == Concern.Kind.SWITCH)
            .map(each -> each.kind() + " " + each.name()).collect(Collectors.toSet());
        Set<String> raised = alarms.stream().filter(id -> Set.of(Kind.LINK, Kind.SWITCH).contains(id.resource().kind()))
            .filter(id -> !id.type().name().startsWith("DAQRING"))
            // it was turned away, and the switch is as it was
            .filter(id -> id.type() != AlarmType.DATAPATH_ID_TAKEN)
            // it holds what it must and forwards, and the links that fall by it are concerns of their own: a run need
            // not wait for a neighbour's work to end
            .filter(id -> id.type() != AlarmType.SWITCH_LATE)
            .map(AlarmId::resource).filter(this::isNeeded)
            .map(resource -> resource.kind() + " " + resource.name()).collect(Collectors.toSet());
        assertThat(concerns).isEqualTo(raised);
        boolean severe = condition.concerns().stream().anyMatch(each -> each.kind().isSevere());
        assertThat(alarms.stream().anyMatch(id -> id.resource().kind() == Kind.PARTITION)).isEqualTo(severe);
    }

    /** Nothing of the prototype is spare or drained. */
    private boolean isNeeded(AlarmResource resource) {
        return resource.fabric().equals(spec.name());
    }
}
