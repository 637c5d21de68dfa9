package org.daqfabric.impl.engine.doctor;

import static org.daqfabric.impl.engine.doctor.Diagnosed.alarm;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.run.Concern;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Health;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.run.RunState;

/** Partitions in error, and those that do not get what they need; run control's concerns say why. */
final class RunDiagnosis {
    private static final int SHOWN = 5;

    private RunDiagnosis() {
    }

    static List<Diagnosed> of(DiagnosisInput input) {
        return input.partitions().stream().flatMap(RunDiagnosis::check).toList();
    }

    private static Stream<Diagnosed> check(PartitionState shown) {
        Partition partition = shown.partition();
        AlarmResource resource = AlarmResource.partition(partition.fabric(), partition.name());
        String subject = "partition " + partition.name();
        Stream<Diagnosed> error = partition.state() == RunState.ERROR
            ? Stream.of(alarm(AlarmType.PARTITION_ERROR, resource, subject, "is in error: " + partition.reason(),
                AlarmType.PARTITION_ERROR.advice()))
            : Stream.empty();
        Stream<Diagnosed> insufficient = shown.condition().stream()
            .filter(condition -> condition.health() == Health.INSUFFICIENT)
            .map(condition -> alarm(new AlarmCondition(new AlarmId(resource, AlarmType.RUN_INSUFFICIENT),
                partition.isRunning() ? AlarmType.RUN_INSUFFICIENT.severity() : AlarmSeverity.WARNING,
                "does not get what it needs from fabric " + partition.fabric()), subject,
                "does not get what it needs from fabric " + partition.fabric() + ": " + why(condition),
                AlarmType.RUN_INSUFFICIENT.advice()));
        return Stream.concat(error, insufficient);
    }

    private static String why(Condition condition) {
        List<Concern> severe = condition.concerns().stream().filter(each -> each.kind().isSevere()).toList();
        return severe.stream().limit(SHOWN).map(Concern::toString).collect(Collectors.joining("; "))
            + (severe.size() > SHOWN ? "; and " + (severe.size() - SHOWN) + " more" : "");
    }
}
