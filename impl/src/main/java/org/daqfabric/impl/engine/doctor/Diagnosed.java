package org.daqfabric.impl.engine.doctor;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.Advice.Severity;

/**
 * Something that a diagnosis found.
 *
 * @param advice how it is told to whoever asks
 * @param alarms the same as alarms; none for what is all right or intended, and for a summary of other findings
 */
record Diagnosed(Advice advice, List<AlarmCondition> alarms) {
    Diagnosed {
        alarms = List.copyOf(alarms);
    }

    /** How it is told if some alarms are shelved: a note, if all of its alarms are. */
    Advice told(Set<AlarmId> shelved) {
        return alarms.isEmpty() || !alarms.stream().map(AlarmCondition::id).allMatch(shelved::contains) ? advice
            : new Advice(Severity.NOTE, advice.subject(), advice.what() + " (shelved)", advice.advice());
    }

    /** An alarm whose text is told too. */
    static Diagnosed alarm(AlarmType type, AlarmResource resource, String subject, String what, String advice) {
        return alarm(AlarmCondition.of(type, resource, what), subject, what, advice);
    }

    /** An alarm; what is told may have numbers that change all the time, unlike its text. */
    static Diagnosed alarm(AlarmCondition condition, String subject, String what, String advice) {
        return alarms(List.of(condition), subject, what, advice);
    }

    /** Alarms that are told as one. */
    static Diagnosed alarms(List<AlarmCondition> conditions, String subject, String what, String advice) {
        AlarmSeverity worst = Collections.max(conditions.stream().map(AlarmCondition::severity).toList());
        return new Diagnosed(new Advice(
            worst.compareTo(AlarmSeverity.MAJOR) >= 0 ? Severity.ERROR : Severity.WARNING, subject, what, advice),
            conditions);
    }

    /** Findings that are told one by one as well. */
    static Diagnosed summary(Severity severity, String subject, String what, String advice) {
        return new Diagnosed(new Advice(severity, subject, what, advice), List.of());
    }

    static Diagnosed note(String subject, String what, String advice) {
        return new Diagnosed(new Advice(Severity.NOTE, subject, what, advice), List.of());
    }

    static Diagnosed ok(String subject, String what) {
        return new Diagnosed(new Advice(Severity.OK, subject, what, ""), List.of());
    }
}
