package org.daqfabric.impl.engine.doctor;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmResource.Kind;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.state.FreeSpace;
import org.daqfabric.api.state.FreeSpace.Level;

/** What is free where the controller stores. All file systems are one finding, as bad as the worst of them. */
final class DiskDiagnosis {
    private static final String SUBJECT = "disk";
    private static final Map<Level, AlarmSeverity> SEVERITIES = Map.of(Level.UNKNOWN, AlarmSeverity.WARNING,
        Level.LITTLE, AlarmSeverity.WARNING, Level.RESERVE, AlarmSeverity.CRITICAL);

    private DiskDiagnosis() {
    }

    static List<Diagnosed> of(DiagnosisInput input) {
        List<FreeSpace> disks = input.disks();
        return disks.stream().map(FreeSpace::level).max(Comparator.naturalOrder()).map(worst -> {
            String now = text(disks, each -> each.amount() + " on " + each.where());
            return worst == Level.PLENTY ? Diagnosed.ok(SUBJECT, now)
                : Diagnosed.alarm(new AlarmCondition(new AlarmId(AlarmResource.own(Kind.CONTROLLER, SUBJECT),
                    AlarmType.DISK_SPACE), SEVERITIES.get(worst), text(disks.stream()
                        .filter(each -> each.level() != Level.PLENTY).toList(), DiskDiagnosis::lasting)), SUBJECT, now,
                    AlarmType.DISK_SPACE.advice());
        }).stream().toList();
    }

    private static String text(List<FreeSpace> disks, Function<FreeSpace, String> each) {
        return disks.stream().map(each).collect(Collectors.joining("; "));
    }

    /** What the alarm says: no number that changes all the time. */
    private static String lasting(FreeSpace disk) {
        return switch (disk.level()) {
            case PLENTY, LITTLE -> "less than 1 GiB is free on " + disk.where();
            case RESERVE -> "less than 256 MiB are free on " + disk.where() + ": no configuration is taken";
            case UNKNOWN -> "it is unknown how much is free on " + disk.where() + ": " + disk.unknown();
        };
    }
}
