package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.Advice.Severity;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Loop;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Machine;
import org.junit.jupiter.api.Test;

class PortDiagnosisTest {
    private static List<Advice> found(String... faults) {
        List<PortState> ports = Stream.of(faults).map(fault -> new PortState(new PortId("s", "p"),
            OptionalDouble.of(10), "full", OptionalLong.empty(), List.of(), fault)).toList();
        FabricState state = new FabricState("f", Phase.CONVERGED, 1, List.of(), List.of(), ports, List.of(),
            List.of(), List.of(), List.of(), new Capacity(1, 1, "", 1), Optional.empty(),
            Optional.empty(), Optional.empty());
        return PortDiagnosis.of(new DiagnosisInput(List.of(new ConfiguredFabric(
            TestFabrics.regular("f", 1, 2, 2, 1, 1, 2), Optional.of(state), Loop.SOUND, 1e9)), List.of(), List.of(),
            Map.of(), List.of(), List.of(), new TreeMap<>(), List.of(), List.of(),
            new Machine(1, 2, 0, 0, 2026), List.of(),
                List.of()))
            .stream().map(Diagnosed::advice).toList();
    }

    @Test
    void soundPortsAreNotMentioned() {
        assertThat(found("", "")).isEmpty();
    }

    @Test
    void namesThePortAndItsFault() {
        assertThat(found("", "too slow")).containsExactly(
            new Advice(Severity.WARNING, "port s:p of f", "too slow", ""));
    }

    /** All cards of a kind have the same fault: a few are enough. */
    @Test
    void manyFaultsAreSummedUp() {
        assertThat(found("1", "2", "3", "4", "5", "6", "7")).hasSize(6).last().satisfies(advice -> {
            assertThat(advice.subject()).isEqualTo("ports of f");
            assertThat(advice.what()).isEqualTo("2 more are not as they must be");
        });
    }
}
