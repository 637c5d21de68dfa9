package org.daqfabric.impl.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.alarm.OperatorState;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The list follows the conditions, and remembers what happened. */
class AlarmListTest {
    private static final AlarmResource LINK = new AlarmResource("f", AlarmResource.Kind.LINK, "a:b");
    private static final AlarmCondition DOWN = AlarmCondition.of(AlarmType.LINK_DOWN, LINK, "is down");
    private static final Map<AlarmId, AlarmCondition> IS_DOWN = Map.of(DOWN.id(), DOWN);
    private static final Instant T0 = Instant.parse("2026-11-25T10:00:00.000Z");

    private static Instant at(int seconds) {
        return T0.plusSeconds(seconds);
    }

    private static AlarmList step(AlarmList list, Map<AlarmId, AlarmCondition> conditions, int second) {
        return list.evaluated(conditions, any -> true, at(second)).next();
    }

    /** One of many links is down. */
    private static Map<AlarmId, AlarmCondition> isDown(int number) {
        AlarmCondition down = AlarmCondition.of(AlarmType.LINK_DOWN,
            new AlarmResource("f", AlarmResource.Kind.LINK, "s:" + number), "is down");
        return Map.of(down.id(), down);
    }

    private static Alarm only(AlarmList list) {
        assertThat(list.all()).hasSize(1);
        return list.all().get(0);
    }

    @Test
    void raisedChangedClearedAndRaisedAgain() {
        AlarmList list = step(AlarmList.EMPTY, IS_DOWN, 1);
        assertThat(only(list).isRaised()).isTrue();
        AlarmCondition worse = new AlarmCondition(DOWN.id(), AlarmSeverity.CRITICAL, "is down still");
        list = step(list, Map.of(worse.id(), worse), 2);
        assertThat(only(list).raised()).isEqualTo(at(1));
        assertThat(only(list).changed()).isEqualTo(at(2));
        assertThat(only(list).severity()).isEqualTo(AlarmSeverity.CRITICAL);
        list = step(list, Map.of(), 3);
        assertThat(only(list).cleared()).isTrue();
        list = step(list, IS_DOWN, 4);
        assertThat(only(list)).satisfies(alarm -> {
            assertThat(alarm.isRaised()).isTrue();
            assertThat(alarm.created()).isEqualTo(at(1));
            assertThat(alarm.raised()).isEqualTo(at(4));
            assertThat(alarm.changes()).extracting(Alarm.StatusChange::severity).containsExactly(
                Optional.of(AlarmSeverity.MAJOR), Optional.empty(), Optional.of(AlarmSeverity.CRITICAL),
                Optional.of(AlarmSeverity.MAJOR));
        });
    }

    /** Nothing happens while nothing changes. */
    @Test
    void whatLastsIsNotTold() {
        AlarmList list = step(AlarmList.EMPTY, IS_DOWN, 1);
        AlarmList.Step again = list.evaluated(IS_DOWN, any -> true, at(2));
        assertThat(again.changed()).isEmpty();
        assertThat(again.next()).isEqualTo(list);
    }

    /** What is not known does not clear an alarm, and raises none. */
    @Test
    void whatIsNotJudgedStays() {
        AlarmList list = step(AlarmList.EMPTY, IS_DOWN, 1);
        assertThat(list.evaluated(Map.of(), any -> false, at(2)).next()).isEqualTo(list);
        assertThat(AlarmList.EMPTY.evaluated(IS_DOWN, any -> false, at(2)).next()).isEqualTo(AlarmList.EMPTY);
    }

    /** Whoever looked after it looked after that occurrence; a shelf is for all of them. */
    @Test
    void anAlarmThatIsRaisedAgainIsNotAcknowledged() {
        AlarmList list = step(AlarmList.EMPTY, IS_DOWN, 1);
        list = list.operated(id -> true, OperatorState.ACK, "anna", "on my way", at(2)).next();
        list = list.operated(id -> true, OperatorState.SHELVED, "anna", "", at(2)).next();
        assertThat(only(list).handling()).isEqualTo(OperatorState.ACK);
        assertThat(list.operated(id -> true, OperatorState.ACK, "anna", "", at(3)).changed()).isEmpty();
        list = step(list, Map.of(), 4);
        assertThat(only(list).handling()).isEqualTo(OperatorState.ACK);
        list = step(list, IS_DOWN, 5);
        assertThat(only(list).handling()).isEqualTo(OperatorState.NONE);
        assertThat(only(list).shelved()).isTrue();
        assertThat(only(list).actions()).extracting(Alarm.OperatorAction::operator)
            .containsExactly(AlarmList.CONTROLLER, "anna", "anna");
        list = list.operated(id -> true, OperatorState.UN_SHELVED, "anna", "", at(6)).next();
        assertThat(only(list).shelved()).isFalse();
    }

    @Test
    void onlyClearedAlarmsArePurged() {
        AlarmList list = step(AlarmList.EMPTY, IS_DOWN, 1);
        assertThat(list.purged(any -> true).changed()).isEmpty();
        assertThat(step(list, Map.of(), 2).purged(any -> true).next()).isEqualTo(AlarmList.EMPTY);
    }

    /** The list does not grow without end. */
    @Test
    void theOldestClearedAlarmsAreDropped() {
        AlarmList list = AlarmList.EMPTY;
        for (int number = 0; number <= AlarmList.MOST_CLEARED + 1; number++) {
            list = step(list, isDown(number), number);
        }
        assertThat(list.all().stream().filter(Alarm::cleared)).hasSize(AlarmList.MOST_CLEARED);
        assertThat(list.all()).extracting(alarm -> alarm.id().resource().name()).doesNotContain("s:0").contains("s:1");
    }

    /** Not those that were cleared after the clock was set back, whose times are before those of all others. */
    @Test
    void theOldestAreDroppedThoughTheClockWasSetBack() {
        AlarmList list = AlarmList.EMPTY;
        for (int number = 0; number <= AlarmList.MOST_CLEARED + 10; number++) {
            int time = number < AlarmList.MOST_CLEARED ? 3600 + number : number - AlarmList.MOST_CLEARED;
            list = step(list, isDown(number), time);
            list = step(list, Map.of(), time);
        }
        assertThat(list.all()).hasSize(AlarmList.MOST_CLEARED);
        assertThat(list.all()).extracting(alarm -> alarm.id().resource().name()).doesNotContain("s:10")
            .contains("s:11", "s:" + (AlarmList.MOST_CLEARED + 10));
    }

    /** Whatever happens, those raised are the conditions, times go on, and histories stay short. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void followsTheConditions(long seed) {
        Random random = new Random(seed);
        List<AlarmId> ids = IntStream.range(0, 12).mapToObj(number -> new AlarmId(new AlarmResource(
            number % 3 == 0 ? "" : "f" + number % 2, AlarmResource.Kind.SWITCH, "s" + number),
            AlarmType.values()[number % 4])).toList();
        AlarmList list = AlarmList.EMPTY;
        Instant now = T0;
        for (int turn = 0; turn < 2000; turn++) {
            // also a clock that is set back
            now = now.plus(Duration.ofMillis(random.nextInt(1000) - 300));
            SortedMap<AlarmId, AlarmCondition> conditions = new TreeMap<>();
            ids.stream().filter(id -> random.nextInt(3) == 0).forEach(id -> conditions.put(id, new AlarmCondition(id,
                AlarmSeverity.values()[random.nextInt(4)], "text " + random.nextInt(2))));
            AlarmList.Step step = switch (random.nextInt(6)) {
                case 0 -> list.operated(id -> id.equals(ids.get(random.nextInt(ids.size()))),
                    OperatorState.values()[random.nextInt(5)], "o", "", now);
                case 1 -> list.purged(each -> random.nextBoolean());
                default -> list.evaluated(conditions, any -> true, now);
            };
            AlarmList before = list;
            list = step.next();
            boolean evaluated = list.alarms().values().stream().filter(Alarm::isRaised).map(Alarm::id)
                .collect(Collectors.toSet()).equals(conditions.keySet());
            boolean asBefore = raised(list).equals(raised(before));
            assertThat(evaluated || asBefore).isTrue();
            assertThat(step.changed()).allSatisfy(each ->
                assertThat(before.alarms().get(each.id())).isNotEqualTo(step.next().alarms().get(each.id())));
            assertThat(list.evaluated(conditions, any -> true, now).next()
                .evaluated(conditions, any -> true, now.plusSeconds(9)).changed()).isEmpty();
            list.all().forEach(AlarmListTest::assertIsConsistent);
        }
    }

    private static Set<AlarmId> raised(AlarmList list) {
        return list.all().stream().filter(Alarm::isRaised).map(Alarm::id).collect(Collectors.toSet());
    }

    private static void assertIsConsistent(Alarm alarm) {
        assertThat(alarm.created()).isBeforeOrEqualTo(alarm.raised());
        assertThat(alarm.raised()).isBeforeOrEqualTo(alarm.changed());
        assertThat(alarm.changes()).hasSizeBetween(1, AlarmList.MOST_CHANGES);
        assertThat(alarm.actions()).hasSizeLessThanOrEqualTo(AlarmList.MOST_CHANGES);
        assertThat(alarm.changes().getFirst().time()).isEqualTo(alarm.changed());
        assertThat(alarm.changes().getFirst().severity().isEmpty()).isEqualTo(alarm.cleared());
        assertThat(alarm.changes().stream().map(Alarm.StatusChange::time).distinct()).hasSameSizeAs(alarm.changes());
        assertThat(alarm.actions().stream().map(Alarm.OperatorAction::time).distinct())
            .hasSameSizeAs(alarm.actions());
    }

    @Test
    void resourcesAreReadAsTheyAreWritten() {
        for (AlarmResource each : List.of(AlarmResource.fabric("f"), LINK,
                AlarmResource.ofSwitch("f", "s"), AlarmResource.partition("", "p/q"),
                AlarmResource.own(AlarmResource.Kind.LISTENER, "tcp:[::1]:6640"))) {
            assertThat(AlarmResource.parse(each.toString())).isEqualTo(each);
        }
        assertThat(LINK).hasToString("fabric/f/link/a:b");
    }
}
