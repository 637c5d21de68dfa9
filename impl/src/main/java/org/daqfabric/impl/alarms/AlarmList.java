package org.daqfabric.impl.alarms;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.Alarm.OperatorAction;
import org.daqfabric.api.alarm.Alarm.StatusChange;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.OperatorState;

/**
 * All alarms at a moment, and how they come to change; by the rules of RFC 8632.
 *
 * @param cleared the ids of the cleared ones in the order in which they were cleared: times are of a clock that
 *     somebody may set
 */
record AlarmList(SortedMap<AlarmId, Alarm> alarms, List<AlarmId> cleared) {
    /** How many changes of status, and how many actions of operators, each alarm keeps. */
    static final int MOST_CHANGES = 32;
    /** How many cleared alarms are kept. */
    static final int MOST_CLEARED = 500;
    /** The operator of what is done by rule. */
    static final String CONTROLLER = "daqfabric";
    static final AlarmList EMPTY = new AlarmList(Collections.emptySortedMap(), List.of());

    AlarmList {
        alarms = Collections.unmodifiableSortedMap(new TreeMap<>(alarms));
        cleared = List.copyOf(cleared);
    }

    /**
     * What a step has led to.
     *
     * @param changed the alarms that it has changed, as they are now
     */
    record Step(AlarmList next, List<Alarm> changed) {
    }

    static AlarmList of(Collection<Alarm> alarms) {
        SortedMap<AlarmId, Alarm> all = new TreeMap<>();
        alarms.forEach(each -> all.put(each.id(), each));
        return new AlarmList(all, all.values().stream().filter(Alarm::cleared)
            .sorted(Comparator.comparing(Alarm::changed)).map(Alarm::id).toList());
    }

    List<Alarm> all() {
        return List.copyOf(alarms.values());
    }

    /**
     * Raises, changes and clears alarms so that those raised are the conditions there are.
     *
     * @param judged whether the conditions of a resource are known; alarms of others stay as they are
     */
    Step evaluated(Map<AlarmId, AlarmCondition> conditions, Predicate<AlarmResource> judged, Instant now) {
        SortedMap<AlarmId, Alarm> next = new TreeMap<>(alarms);
        List<Alarm> changed = new ArrayList<>();
        conditions.values().stream().filter(each -> judged.test(each.id().resource())).forEach(condition -> {
            Alarm known = alarms.get(condition.id());
            if (known == null || known.cleared() || known.severity() != condition.severity()
                || !known.text().equals(condition.text())) {
                changed.add(raised(Optional.ofNullable(known), condition, now));
            }
        });
        alarms.values().stream().filter(each -> each.isRaised() && !conditions.containsKey(each.id())
            && judged.test(each.id().resource())).forEach(each -> changed.add(cleared(each, now)));
        changed.forEach(each -> next.put(each.id(), each));
        if (changed.isEmpty()) {
            return new Step(this, changed);
        }
        List<AlarmId> order = new ArrayList<>(cleared);
        order.removeAll(changed.stream().map(Alarm::id).collect(Collectors.toSet()));
        changed.stream().filter(Alarm::cleared).map(Alarm::id).forEach(order::add);
        while (order.size() > MOST_CLEARED) {
            next.remove(order.removeFirst());
        }
        return new Step(new AlarmList(next, order), changed);
    }

    private static Alarm raised(Optional<Alarm> known, AlarmCondition condition, Instant now) {
        Instant time = known.map(each -> after(each.changed(), now)).orElse(stamp(now));
        boolean anew = known.isEmpty() || known.get().cleared();
        List<OperatorAction> actions = known.map(Alarm::actions).orElse(List.of());
        if (anew && known.isPresent() && known.get().handling() != OperatorState.NONE) {
            // what somebody looked after was over; this is another occurrence
            actions = with(actions, new OperatorAction(actionTime(actions, now), CONTROLLER, OperatorState.NONE,
                "raised again"));
        }
        return new Alarm(condition.id(), condition.severity(), condition.text(), false,
            known.map(Alarm::created).orElse(time), anew ? time : known.get().raised(), time,
            with(known.map(Alarm::changes).orElse(List.of()),
                new StatusChange(time, Optional.of(condition.severity()), condition.text())), actions);
    }

    private static Alarm cleared(Alarm alarm, Instant now) {
        Instant time = after(alarm.changed(), now);
        return new Alarm(alarm.id(), alarm.severity(), alarm.text(), true, alarm.created(), alarm.raised(), time,
            with(alarm.changes(), new StatusChange(time, Optional.empty(), alarm.text())), alarm.actions());
    }

    /** Sets the state of alarms; those that have it already are left as they are. */
    Step operated(Predicate<AlarmId> which, OperatorState state, String operator, String text, Instant now) {
        SortedMap<AlarmId, Alarm> next = new TreeMap<>(alarms);
        List<Alarm> changed = new ArrayList<>();
        alarms.values().stream().filter(each -> which.test(each.id()) && !has(each, state)).forEach(alarm ->
            changed.add(new Alarm(alarm.id(), alarm.severity(), alarm.text(), alarm.cleared(), alarm.created(),
                alarm.raised(), alarm.changed(), alarm.changes(), with(alarm.actions(),
                    new OperatorAction(actionTime(alarm.actions(), now), operator, state, text)))));
        changed.forEach(each -> next.put(each.id(), each));
        return new Step(new AlarmList(next, cleared), changed);
    }

    private static boolean has(Alarm alarm, OperatorState state) {
        return switch (state) {
            case NONE, ACK, CLOSED -> alarm.handling() == state;
            case SHELVED -> alarm.shelved();
            case UN_SHELVED -> !alarm.shelved();
        };
    }

    /** Without the cleared alarms of a choice; a step that has changed those it removed. */
    Step purged(Predicate<Alarm> which) {
        List<Alarm> removed = alarms.values().stream().filter(each -> each.cleared() && which.test(each)).toList();
        SortedMap<AlarmId, Alarm> next = new TreeMap<>(alarms);
        removed.forEach(each -> next.remove(each.id()));
        return new Step(new AlarmList(next, cleared.stream().filter(next::containsKey).toList()), removed);
    }

    private static <T> List<T> with(List<T> before, T newest) {
        return Stream.concat(Stream.of(newest), before.stream()).limit(MOST_CHANGES).toList();
    }

    private static Instant actionTime(List<OperatorAction> actions, Instant now) {
        return actions.isEmpty() ? stamp(now) : after(actions.getFirst().time(), now);
    }

    /** Later than anything before, as times are keys, also if the clock was set back. */
    private static Instant after(Instant before, Instant now) {
        Instant time = stamp(now);
        return time.isAfter(before) ? time : before.plusMillis(1);
    }

    private static Instant stamp(Instant now) {
        return now.truncatedTo(ChronoUnit.MILLIS);
    }
}
