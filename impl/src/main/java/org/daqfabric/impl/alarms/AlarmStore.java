package org.daqfabric.impl.alarms;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmId;

/** Keeps alarms across restarts. Calls take effect in order. */
public interface AlarmStore {
    CompletionStage<List<Alarm>> load();

    /** Stores and deletes in one step; completes when that would survive a restart. */
    CompletionStage<Void> change(Collection<Alarm> put, Collection<AlarmId> delete);
}
