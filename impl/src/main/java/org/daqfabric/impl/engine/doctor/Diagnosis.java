package org.daqfabric.impl.engine.doctor;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FabricState;

/**
 * Finds what does not work and says what to do. What the doctor tells and what raises alarms is one list of findings,
 * so that they cannot disagree.
 */
public final class Diagnosis {
    private static final List<Function<DiagnosisInput, List<Diagnosed>>> PARTS = List.of(ControllerDiagnosis::of,
        DiskDiagnosis::of, SwitchDiagnosis::of, LinkDiagnosis::of, LoadDiagnosis::of, PortDiagnosis::of,
        FabricDiagnosis::of, RingDiagnosis::of, RunDiagnosis::of, RemovalDiagnosis::of);

    private Diagnosis() {
    }

    /**
     * What to tell whoever asks, worst first.
     *
     * @param shelved alarms that are not to be told: they are notes
     */
    public static List<Advice> of(DiagnosisInput input, Set<AlarmId> shelved) {
        return findings(input).map(each -> each.told(shelved)).sorted(Comparator.comparing(Advice::severity)).toList();
    }

    /** What alarms are raised for. */
    public static SortedMap<AlarmId, AlarmCondition> alarms(DiagnosisInput input) {
        SortedMap<AlarmId, AlarmCondition> found = new TreeMap<>();
        findings(input).flatMap(each -> each.alarms().stream()).forEach(each -> found.put(each.id(), each));
        return found;
    }

    /** Whether a fabric carries so much that it may be events, so that it makes sense to measure their weights. */
    public static boolean carriesEvents(FabricSpec spec, FabricState state) {
        return LoadDiagnosis.carriesEvents(spec, state);
    }

    private static Stream<Diagnosed> findings(DiagnosisInput input) {
        return PARTS.stream().flatMap(part -> part.apply(input).stream());
    }
}
