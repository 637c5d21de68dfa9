package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.Advice.Severity;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Silence;
import org.daqfabric.api.state.FabricState.Traffic;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Loop;
import org.junit.jupiter.api.Test;

/** All links have 10 Gbps and are planned for 5 of them in the direction to their peer. */
class LoadDiagnosisTest {
    private final FabricSpec spec = TestFabrics.regular("f", 1, 2, 2, 1, 1, 2);
    private final PortId first = spec.links().get(0).end();
    private final PortId second = spec.links().get(1).end();
    private final Map<PortId, Double> measured = new HashMap<>();
    private OperState operState = OperState.UP;
    private Optional<Weights> weights = Optional.empty();

    private List<Advice> found() {
        FabricState state = new FabricState("f", Phase.CONVERGED, 1, List.of(),
            spec.links().stream().map(link -> new LinkState(link.end(), operState, Instant.EPOCH, Optional.empty(),
                false,
                new Traffic(5, measured.containsKey(link.end()) ? OptionalDouble.of(measured.get(link.end()))
                    : OptionalDouble.empty()), Traffic.NONE, Silence.NONE)).toList(), List.of(), List.of(), List.of(),
            List.of(), List.of(), new Capacity(1, 1, "", 1), Optional.empty(), Optional.empty(), Optional.empty());
        return LoadDiagnosis.of(Inputs.of(new ConfiguredFabric(spec, Optional.of(state), Loop.SOUND, 1e9, weights)))
            .stream().map(Diagnosed::advice).toList();
    }

    private void all(double gbps) {
        spec.links().forEach(link -> measured.put(link.end(), gbps));
    }

    /** BFD and LLDP are no traffic to speak of, nor is what nobody has measured. */
    @Test
    void silentFabric() {
        weights = Optional.of(new Weights(new TreeMap<>(), new TreeMap<>(), 10, "", 20));
        assertThat(found()).isEmpty();
        all(0.005);
        assertThat(found()).isEmpty();
    }

    /** As planned: nothing but how much there is. */
    @Test
    void asPlanned() {
        all(4);
        weights = Optional.of(new Weights(new TreeMap<>(), new TreeMap<>(), 10, "", 11));
        assertThat(found()).containsExactly(new Advice(Severity.OK, "links of f",
            "the fullest, " + first + " -> " + spec.links().get(0).peer() + " carries 4.0 of 10.0 Gbps", ""));
    }

    /** A link that carries more than its part is named, with its part. */
    @Test
    void unlikePlanned() {
        all(1);
        measured.put(second, 8.0);
        int links = spec.links().size();
        assertThat(found()).hasSize(2).last().satisfies(advice -> {
            assertThat(advice.severity()).isEqualTo(Severity.NOTE);
            assertThat(advice.what()).isEqualTo("one carries far more than is planned when so much is sent: " + second
                + " -> " + spec.links().get(1).peer() + " 8.0 Gbps instead of %.1f".formatted((links + 7.0) / links));
        });
        measured.put(second, 1.4);
        assertThat(found()).hasSize(1);
    }

    /** The same in proportion, but hardly anything. */
    @Test
    void littleIsNoReason() {
        all(0.01);
        measured.put(second, 0.9);
        assertThat(found()).hasSize(1);
    }

    @Test
    void fullLinks() {
        all(9.5);
        assertThat(found()).singleElement().satisfies(advice -> {
            assertThat(advice.severity()).isEqualTo(Severity.NOTE);
            assertThat(advice.what()).isEqualTo(spec.links().size() + " are full, the fullest: " + first + " -> "
                + spec.links().get(0).peer() + " carries 9.5 of 10.0 Gbps, and was planned for 5.0");
        });
        operState = OperState.DOWN;
        assertThat(found()).isEmpty();
    }

    @Test
    void otherWeightsGainBandwidth() {
        all(1);
        weights = Optional.of(new Weights(new TreeMap<>(), new TreeMap<>(), 15, "", 29.6));
        assertThat(found()).hasSize(2).last().satisfies(advice -> {
            assertThat(advice.severity()).isEqualTo(Severity.NOTE);
            assertThat(advice.subject()).isEqualTo("fabric f");
            assertThat(advice.what()).endsWith("it carries 15.0 Gbps of that, and would carry 29.6");
            assertThat(advice.advice()).contains("daqfabric:plan --measured");
        });
    }
}
