package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.Advice.Severity;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Machine;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Node;
import org.junit.jupiter.api.Test;

/** What a diagnosis says of peers that are in no fabric: not more than a person reads. */
class PeersDiagnosisTest {
    private final SortedMap<String, String> refused = new TreeMap<>();
    private final List<Node> nodes = new ArrayList<>();

    private DiagnosisInput input() {
        return new DiagnosisInput(List.of(), List.of(), nodes, Map.of(), List.of(), List.of(), refused, List.of(),
            List.of(), new Machine(1 << 20, 1 << 30, 0, 0, 2026), List.of(), List.of());
    }

    private List<Advice> told(Severity severity, String subject) {
        return Diagnosis.of(input(), Set.of()).stream().filter(each -> each.severity() == severity
            && each.subject().startsWith(subject)).toList();
    }

    @Test
    void aRefusedPeerIsNamedWithTheReason() {
        refused.put("10.0.0.9", "on the OVSDB port: it has no system-id");
        assertThat(told(Severity.WARNING, "peer")).singleElement().satisfies(advice -> {
            assertThat(advice.subject()).isEqualTo("peer 10.0.0.9");
            assertThat(advice.what()).isEqualTo("was refused on the OVSDB port: it has no system-id");
            assertThat(advice.advice()).contains("correct");
        });
    }

    /** Each has its alarm. */
    @Test
    void ofManyRefusedPeersTwentyAreTold() {
        IntStream.range(0, 100).forEach(each -> refused.put("10.0.1." + each, "on the OVSDB port: too much"));
        assertThat(told(Severity.WARNING, "peer")).hasSize(21).last().extracting(Advice::what)
            .isEqualTo("80 more were refused");
        assertThat(Diagnosis.alarms(input()).keySet())
            .filteredOn(each -> each.resource().kind() == AlarmResource.Kind.PEER).hasSize(100);
    }

    @Test
    void ofManyNodesInNoFabricTwentyAreTold() {
        IntStream.range(0, 100).forEach(each -> nodes.add(new Node("n" + each, true, false, true, "10.0.1." + each,
            "10.0.0.1", false, "", "", "3.1.0", Collections.emptySet(), List.of())));
        assertThat(told(Severity.NOTE, "node")).hasSize(21).last().extracting(Advice::what)
            .isEqualTo("80 more are in no fabric");
    }
}
