package org.daqfabric.impl.engine.doctor;


import static org.daqfabric.impl.engine.doctor.Diagnosed.alarm;
import static org.daqfabric.impl.engine.doctor.Diagnosed.note;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.ring.DropHistory;

/** Whether daqrings have dropped packets: events or control were delayed by TCP, or lost. */
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
        String advice = advice(fabric.spec(), drops);
        return Stream.of(fabric.sinceDrops() < RECENT
            ? alarm(AlarmCondition.of(AlarmType.DAQRING_DROPS, AlarmResource.fabric(fabric.spec().name()),
                "daqrings dropped packets in the last 5 minutes"), subject, what, advice)
            : note(subject, what, advice));
    }

    /** Those of DCMs are in leaves and spines, those of control in edge switches. */
    private static String advice(FabricSpec spec, List<DropEpisode> drops) {
        Set<String> ofDcms = spec.planes().stream().flatMap(plane -> Stream.concat(
            plane.spines().stream().map(Spine::switchName), plane.leaves().stream().map(Leaf::switchName)))
            .collect(Collectors.toSet());
        List<String> reasons = new ArrayList<>();
        if (drops.stream().anyMatch(each -> ofDcms.contains(each.switchName()))) {
            reasons.add("give daqrings the ring-size that rpc size-daqrings computes, or let more out (max-burst,"
                + " polling-interval) if the DCM's link and host take it");
        }
        if (drops.stream().anyMatch(each -> !ofDcms.contains(each.switchName()))) {
            reasons.add("a daqring in an edge switch drops what its host sends as control beyond the bandwidth of its"
                + " flows: raise their rate or share, or find out why it sends so much");
        }
        return String.join("; ", reasons) + "; /daqfabric/ shows how they filled, and docs/operations.md what else may"
            + " be the reason";
    }
}
