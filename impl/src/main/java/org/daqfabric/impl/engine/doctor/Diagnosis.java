package org.daqfabric.impl.engine.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.Advice.Severity;

/** Finds what does not work and says what to do, worst first. */
public final class Diagnosis {
    private Diagnosis() {
    }

    public static List<Advice> of(DiagnosisInput input) {
        List<Function<DiagnosisInput, List<Advice>>> parts = List.of(ControllerDiagnosis::of, SwitchDiagnosis::of,
            LinkDiagnosis::of, PortDiagnosis::of, FabricDiagnosis::of, RingDiagnosis::of, RemovalDiagnosis::of);
        List<Advice> found = new ArrayList<>();
        parts.forEach(each -> found.addAll(each.apply(input)));
        found.sort(Comparator.comparing(Advice::severity));
        return found;
    }

    static Advice error(String subject, String what, String advice) {
        return new Advice(Severity.ERROR, subject, what, advice);
    }

    static Advice warning(String subject, String what, String advice) {
        return new Advice(Severity.WARNING, subject, what, advice);
    }

    static Advice note(String subject, String what, String advice) {
        return new Advice(Severity.NOTE, subject, what, advice);
    }

    static Advice ok(String subject, String what) {
        return new Advice(Severity.OK, subject, what, "");
    }
}
