package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.Advice.Severity;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Loop;
import org.junit.jupiter.api.Test;

class PortDiagnosisTest {
    private static final FabricSpec SPEC = TestFabrics.regular("f", 1, 2, 2, 1, 1, 2);

    private static PortState port(PortId port, String fault) {
        return new PortState(port, OptionalDouble.of(10), "full", OptionalLong.empty(), List.of(), fault);
    }

    private static DiagnosisInput input(List<LinkState> links, List<PortState> ports) {
        FabricState state = new FabricState("f", Phase.CONVERGED, 1, List.of(), links, ports, List.of(),
            List.of(), List.of(), List.of(), new Capacity(1, 1, "", 1), Optional.empty(),
            Optional.empty(), Optional.empty());
        return Inputs.of(new ConfiguredFabric(SPEC, Optional.of(state), Loop.SOUND, 1e9));
    }

    private static List<Advice> found(String... faults) {
        return PortDiagnosis.of(input(List.of(), Stream.of(faults).map(fault -> port(new PortId("s", "p"), fault))
            .toList())).stream().map(Diagnosed::advice).toList();
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

    /** No cable is to be looked at where a port is not in the datapath. */
    @Test
    void aLinkNamesItsPortThatHasLeft() {
        PortId end = SPEC.links().get(0).end();
        PortState left = new PortState(end, OptionalDouble.of(10), "full", OptionalLong.empty(), List.of(), Set.of(),
            new TreeSet<>(), true, "it has left");
        assertThat(LinkDiagnosis.of(input(List.of(new LinkState(end, OperState.DOWN, Instant.EPOCH, Optional.empty(),
            false)), List.of(left)))).extracting(Diagnosed::advice).singleElement().satisfies(advice -> {
                assertThat(advice.what()).contains(end + " has left the datapath");
                assertThat(advice.advice()).isEqualTo("see what is said of port " + end);
            });
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
