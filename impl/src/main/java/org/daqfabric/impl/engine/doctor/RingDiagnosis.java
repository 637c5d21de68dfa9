package org.daqfabric.impl.engine.doctor;


import static org.daqfabric.impl.engine.doctor.Diagnosed.alarm;
import static org.daqfabric.impl.engine.doctor.Diagnosed.note;

import java.util.List;
import java.util.stream.Stream;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.ring.DropHistory;

/** Whether daqrings have dropped packets: events were delayed by TCP, or lost. */
final class RingDiagnosis {
    /** Seconds after which an episode is no reason to act at once. */
    private static final double RECENT = 300;

    private RingDiagnosis() {
    }

    static List<Diagnosed> of(DiagnosisInput input) {
        return input.fabrics().stream().flatMap(RingDiagnosis::check).toList();
    }

    private static Stream<Diagnosed> check(ConfiguredFabric fabric) {
        List<DropEpisode> drops = fabric.state().map(state -> state.drops()).orElse(List.of());
        if (drops.isEmpty()) {
            return Stream.empty();
        }
        String subject = "fabric " + fabric.spec().name();
        String what = DropHistory.summary(drops);
        String advice = "give daqrings the ring-size that rpc size-daqrings computes, or let more out (max-burst,"
            + " polling-interval) if the DCM's link and host take it; /daqfabric/ shows how they filled, and"
            + " docs/operations.md what else may be the reason";
        return Stream.of(fabric.sinceDrops() < RECENT
            ? alarm(AlarmCondition.of(AlarmType.DAQRING_DROPS, AlarmResource.fabric(fabric.spec().name()),
                "daqrings dropped packets in the last 5 minutes"), subject, what, advice)
            : note(subject, what, advice));
    }
}
