package org.daqfabric.impl.alarms;

import java.util.List;
import org.daqfabric.api.alarm.Alarm;

/** Receives the list of alarms and what happens to them, in order. Calls return at once. */
public interface AlarmListener {
    /** The list after a change, and at the beginning. */
    void listChanged(List<Alarm> alarms);

    /** An alarm was raised, changed or cleared. */
    default void statusChanged(Alarm alarm) {
    }

    /** An operator set the state of an alarm. */
    default void operatorActed(Alarm alarm) {
    }

    /** Another controller goes on with the list. */
    default void ended() {
    }
}
