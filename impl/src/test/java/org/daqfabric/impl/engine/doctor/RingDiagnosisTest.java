package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.Advice.Severity;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Loop;
import org.junit.jupiter.api.Test;

class RingDiagnosisTest {
    private static DropEpisode drop(String switchName) {
        return DropEpisode.begun(switchName, "one", new RingDrops(Instant.parse("2026-11-24T02:30:00.123456Z"),
            Duration.ofMillis(11), 57, 100, 1, "0 100")).in(Optional.of(new DropEpisode.Run("det", 7)));
    }

    private static List<Advice> found(double sinceDrops, String... switches) {
        FabricState state = new FabricState("f", Phase.CONVERGED, 1, List.of(), List.of(), List.of(), List.of(),
            List.of(), List.of(), List.of(switches).stream().map(RingDiagnosisTest::drop).toList(),
            new Capacity(1, 1, "", 1), Optional.empty(), Optional.empty(), Optional.empty());
        return RingDiagnosis.of(Inputs.of(new ConfiguredFabric(TestFabrics.regular("f", 1, 2, 2, 1, 1, 2),
            Optional.of(state), Loop.SOUND, sinceDrops))).stream().map(Diagnosed::advice).toList();
    }

    @Test
    void nothingIsSaidOfDaqringsThatDropNothing() {
        assertThat(found(Double.POSITIVE_INFINITY)).isEmpty();
    }

    /** A warning for five minutes, and a note after it: there is nothing that an operator could clear. */
    @Test
    void dropsAreToldWithTheirRun() {
        assertThat(found(180, "spine-1-1")).singleElement().satisfies(advice -> {
            assertThat(advice.severity()).isEqualTo(Severity.WARNING);
            assertThat(advice.subject()).isEqualTo("fabric f");
            assertThat(advice.what()).isEqualTo("daqrings dropped packets: that of one in spine-1-1, which held"
                + " 100, 57 packets within 12 ms from 2026-11-24T02:30:00.123Z on, in run 7 of partition det");
            assertThat(advice.advice()).contains("size-daqrings", "ring-size", "polling-interval")
                .doesNotContain("control");
        });
        assertThat(found(180, "rack-1-01")).singleElement().satisfies(advice ->
            assertThat(advice.advice()).contains("sends as control", "rate or share").doesNotContain("size-daqrings"));
        assertThat(found(301, "a", "b", "c", "d")).singleElement().satisfies(advice -> {
            assertThat(advice.severity()).isEqualTo(Severity.NOTE);
            assertThat(advice.what()).endsWith("; and 1 more");
        });
    }
}
