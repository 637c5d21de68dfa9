package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.Advice.Severity;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Leaving;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Loop;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Machine;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Node;
import org.junit.jupiter.api.Test;

/** Findings about left-over bridges. */
class RemovalDiagnosisTest {
    private static final Node HERE = new Node("here", true, false, true, "10.0.1.1", "10.0.0.1", false, "", "", "3.1.0",
        Set.of(), List.of());

    /** A bridge that waits for its node is a warning with node, bridge, time and what to do. */
    @Test
    void bridgeThatWaitsForItsNodeIsAWarning() {
        assertSays(leaving("away"), Severity.WARNING, "node away", "br-daq, which fabric old left at 10:00",
            "forget-removals");
    }

    @Test
    void bridgeThatIsBeingRemovedIsANote() {
        assertSays(leaving("here"), Severity.NOTE, "node here", "br-daq, which fabric old left at 10:00", "ask again");
    }

    @Test
    void bridgeThatNoFabricHasIsANote() {
        assertSays(found(List.of(), List.of(new MarkedBridge("here", "br-odd", "gone"))), Severity.NOTE, "node here",
            "br-odd was made for fabric gone", "remove-orphans");
    }

    /** A bridge of a fabric that misses a switch is that switch, as a rule: its removal is not advised. */
    @Test
    void aBridgeWhoseNodeHasAnotherSystemIdIsNotToBeRemoved() {
        FabricSpec spec = TestFabrics.regular("f", 1, 2, 2, 1, 1, 2);
        Switch lost = spec.switches().iterator().next();
        Advice advice = RemovalDiagnosis.of(new DiagnosisInput(List.of(new ConfiguredFabric(spec, Optional.empty(),
            Loop.SOUND, 1e9)), List.of(), List.of(HERE), Map.of(), List.of(),
            List.of(new MarkedBridge("here", lost.bridge(), "f")), new TreeMap<>(), List.of(), List.of(),
            new Machine(1, 2, 0, 0, 2026), List.of(), List.of())).get(0).advice();
        assertSays(advice, Severity.NOTE, "node here", "the node now calls itself here", "external_ids:system-id");
        assertThat(advice.advice()).doesNotContain("remove-orphans");
    }

    private static Advice leaving(String node) {
        return found(List.of(new Leaving(new MarkedBridge(node, "br-daq", "old"), "10:00")), List.of());
    }

    private static Advice found(List<Leaving> leaving, List<MarkedBridge> orphans) {
        List<Advice> found = RemovalDiagnosis.of(new DiagnosisInput(List.of(), List.of(), List.of(HERE), Map.of(),
            leaving, orphans, new TreeMap<>(), List.of(), List.of(),
            new Machine(1, 2, 0, 0, 2026), List.of(), List.of()))
            .stream().map(Diagnosed::advice).toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static void assertSays(Advice advice, Severity severity, String subject, String what, String todo) {
        assertThat(advice.severity()).isEqualTo(severity);
        assertThat(advice.subject()).isEqualTo(subject);
        assertThat(advice.what()).contains(what);
        assertThat(advice.advice()).contains(todo);
    }
}
