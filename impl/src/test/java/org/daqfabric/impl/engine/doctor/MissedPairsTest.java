package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Proof;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Loop;
import org.junit.jupiter.api.Test;

/** A path by which packets do not arrive cuts a DCM off, though everything that is known of it is up. */
class MissedPairsTest {
    private static DiagnosisInput input(DcmPlacement... placements) {
        return input(Optional.empty(), placements);
    }

    private static DiagnosisInput input(Optional<Instant> silentSince, DcmPlacement... placements) {
        FabricSpec spec = TestFabrics.prototype();
        FabricState state = new FabricState(spec.name(), Phase.CONVERGED, 1, List.of(), List.of(), List.of(),
            List.of(placements), List.of(), List.of(), List.of(), new Capacity(20, 20, "", 1), Optional.empty(),
            Optional.empty(), Optional.empty(), silentSince);
        return Inputs.of(new ConfiguredFabric(spec, Optional.of(state), Loop.SOUND, 1e9));
    }

    private static DcmPlacement dcm(String name, Set<String> missed, Set<String> old) {
        return new DcmPlacement(name, 1, 1, OptionalInt.empty(), 0, 1000)
            .with(new Proof(Optional.empty(), new TreeSet<>(missed), new TreeSet<>(old)));
    }

    @Test
    void whatDoesNotArriveIsNamed() {
        assertThat(Diagnosis.alarms(input(dcm("one", Set.of(), Set.of("r1")), dcm("two", Set.of("r1", "r2"), Set.of())))
            .values()).filteredOn(each -> each.id().type() == AlarmType.DCMS_CUT_OFF).singleElement()
            .satisfies(alarm -> assertThat(alarm.text()).contains("1 of 2 DCMs", "though there is a path",
                "two, from or to r1, r2"));
    }

    /** That nothing is known is said beside what is, and instead of a path that each has. */
    @Test
    void silenceOfAllIsAnAlarm() {
        DiagnosisInput sound = input(dcm("one", Set.of(), Set.of()));
        assertThat(Diagnosis.alarms(sound).keySet()).noneMatch(each -> each.type() == AlarmType.PROOFS_SILENT);
        DiagnosisInput silent = input(Optional.of(Instant.EPOCH), dcm("one", Set.of(), Set.of()));
        assertThat(Diagnosis.alarms(silent).values()).filteredOn(each -> each.id().type() == AlarmType.PROOFS_SILENT)
            .singleElement().satisfies(alarm -> assertThat(alarm.text()).contains("since 1970-01-01T00:00:00Z",
                "is not known"));
        assertThat(Diagnosis.of(silent, Set.of())).noneMatch(each -> each.what().contains("every ROS has a path"));
        assertThat(Diagnosis.of(sound, Set.of())).anyMatch(each -> each.what().contains("every ROS has a path"));
        assertThat(Diagnosis.alarms(input(Optional.of(Instant.EPOCH), dcm("one", Set.of("r1"), Set.of()))).keySet())
            .extracting(AlarmId::type).contains(AlarmType.PROOFS_SILENT, AlarmType.DCMS_CUT_OFF);
    }

    /** The age of a proof matters to those that begin a run, and is no alarm. */
    @Test
    void whatIsOldIsNoAlarm() {
        assertThat(Diagnosis.alarms(input(dcm("one", Set.of(), Set.of("r1")))).keySet())
            .noneMatch(each -> each.type() == AlarmType.DCMS_CUT_OFF);
    }
}
