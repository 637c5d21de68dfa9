package org.daqfabric.impl.engine.doctor;

import static org.daqfabric.impl.engine.doctor.Diagnosis.warning;

import java.util.List;
import java.util.stream.Stream;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;

/** Ports that carry less than the placement counts with. */
final class PortDiagnosis {
    /** Faults are alike as a rule: all cards of a kind. */
    private static final int SHOWN = 5;

    private PortDiagnosis() {
    }

    static List<Advice> of(DiagnosisInput input) {
        return input.fabrics().stream().flatMap(PortDiagnosis::check).toList();
    }

    private static Stream<Advice> check(ConfiguredFabric fabric) {
        List<PortState> faulty = fabric.state().stream().flatMap(state -> state.ports().stream())
            .filter(port -> !port.fault().isEmpty()).toList();
        Stream<Advice> shown = faulty.stream().limit(SHOWN).map(port ->
            warning("port " + port.port() + " of " + fabric.spec().name(), port.fault(), ""));
        return faulty.size() <= SHOWN ? shown : Stream.concat(shown, Stream.of(warning("ports of "
            + fabric.spec().name(), faulty.size() - SHOWN + " more are not as they must be",
            "state/port has them, each with its fault")));
    }
}
