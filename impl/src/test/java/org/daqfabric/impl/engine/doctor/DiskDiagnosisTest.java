package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmResource.Kind;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FreeSpace;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A disk that fills is told before it is full, and what is left is kept; what is not known is neither. */
class DiskDiagnosisTest {
    private static final long[] LIMITS = { 0, FreeSpace.RESERVE, FreeSpace.PLENTY, 1L << 60 };
    private static final int SETS = 500;

    private static DiagnosisInput input(List<FreeSpace> disks) {
        return Inputs.itself("", disks, new TreeMap<>());
    }

    private static List<AlarmCondition> alarms(List<FreeSpace> disks) {
        return Diagnosis.alarms(input(disks)).values().stream()
            .filter(each -> each.id().type() == AlarmType.DISK_SPACE).toList();
    }

    private static Advice told(List<FreeSpace> disks) {
        return Diagnosis.of(input(disks), Set.of()).stream().filter(each -> each.subject().equals("disk")).findFirst()
            .orElseThrow();
    }

    /** Some file systems, of which more than by chance are at a limit. */
    private static List<FreeSpace> disks(Random random) {
        List<FreeSpace> disks = new ArrayList<>();
        for (int number = 0; number <= random.nextInt(4); number++) {
            List<String> folders = List.of("folder" + number);
            long bytes = random.nextBoolean() ? random.nextLong(2 * FreeSpace.PLENTY)
                : Math.max(0, LIMITS[random.nextInt(LIMITS.length)] + random.nextInt(3) - 1);
            disks.add(random.nextInt(4) == 0 ? FreeSpace.unknown(folders, "", "gone")
                : FreeSpace.of(folders, "dev" + number, bytes));
        }
        return disks;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void asBadAsTheWorst(long seed) {
        Random random = new Random(seed);
        for (int number = 0; number < SETS; number++) {
            List<FreeSpace> disks = disks(random);
            long least = disks.stream().map(FreeSpace::bytes).filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong).min().orElse(Long.MAX_VALUE);
            boolean allKnown = disks.stream().allMatch(each -> each.bytes().isPresent());
            if (least >= 1L << 30 && allKnown) {
                assertThat(alarms(disks)).as(disks.toString()).isEmpty();
                assertThat(told(disks).severity()).isEqualTo(Advice.Severity.OK);
            } else {
                assertThat(alarms(disks)).as(disks.toString()).singleElement().satisfies(alarm -> {
                    assertThat(alarm.id().resource()).isEqualTo(AlarmResource.own(Kind.CONTROLLER, "disk"));
                    assertThat(alarm.severity()).isEqualTo(least < 256L << 20 ? AlarmSeverity.CRITICAL
                        : AlarmSeverity.WARNING);
                });
                assertThat(told(disks).severity()).isEqualTo(least < 256L << 20 ? Advice.Severity.ERROR
                    : Advice.Severity.WARNING);
            }
            disks.forEach(disk -> assertThat(told(disks).what()).contains(disk.folders().getFirst() + "/"));
            assertThat(disks.stream().anyMatch(each -> each.refusal().isPresent())).isEqualTo(least < 256L << 20);
        }
    }

    /** More space makes nothing worse, and what it does not change stays word by word: it would be told anew. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void moreSpaceIsNeverWorse(long seed) {
        Random random = new Random(seed);
        for (int number = 0; number < SETS; number++) {
            List<FreeSpace> before = disks(random);
            List<FreeSpace> after = before.stream().map(each -> each.bytes().isEmpty() ? each
                : FreeSpace.of(each.folders(), each.device(), each.bytes().getAsLong() + random.nextInt(1 << 24)))
                .toList();
            for (int disk = 0; disk < before.size(); disk++) {
                assertThat(after.get(disk).level()).isLessThanOrEqualTo(before.get(disk).level());
            }
            if (after.stream().map(FreeSpace::level).toList().equals(before.stream().map(FreeSpace::level).toList())) {
                assertThat(alarms(after)).isEqualTo(alarms(before));
            }
        }
    }

    @Test
    void saysWhatIsShortAndWhatToDo() {
        List<FreeSpace> disks = List.of(FreeSpace.of(List.of("data"), "/dev/sda1", 44L << 30),
            FreeSpace.of(List.of("state", "snapshots"), "/dev/sdb1", 120L << 20),
            FreeSpace.unknown(List.of("segmented-journal"), "", "no answer for 10 s"));
        assertThat(told(disks).what()).contains("45056 MiB are free on the file system with data/ (/dev/sda1)",
            "120 MiB are free on the file system with state/, snapshots/ (/dev/sdb1)",
            "it is unknown how much is free on the file system with segmented-journal/");
        assertThat(told(disks).advice()).contains("packed logs");
        assertThat(alarms(disks).getFirst().text()).contains("less than 256 MiB are free on the file system with",
            "state/", "no configuration is taken", "no answer for 10 s").doesNotContain("120", "data/");
        assertThat(disks.get(1).refusal().orElseThrow()).contains("120 MiB are free", "state/, snapshots/ (/dev/sdb1)",
            "Free at least 136 MiB");
        assertThat(disks.get(2).refusal()).isEmpty();
    }

    @Test
    void nothingIsSaidBeforeItWasLooked() {
        assertThat(alarms(List.of())).isEmpty();
        assertThat(Diagnosis.of(input(List.of()), Set.of())).noneMatch(each -> each.subject().equals("disk"));
    }
}
