package org.daqfabric.impl.alarms;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmId;

/** Keeps alarms in memory, counts writes, and refuses them on demand. */
final class MemoryAlarmStore implements AlarmStore {
    final SortedMap<AlarmId, Alarm> stored = new TreeMap<>();
    int writes;
    boolean broken;
    /** Completes when what is written from now on is stored. */
    CompletableFuture<Void> storing = CompletableFuture.completedFuture(null);

    @Override
    public CompletionStage<List<Alarm>> load() {
        return broken ? CompletableFuture.failedFuture(new IllegalStateException("broken"))
            : CompletableFuture.completedFuture(List.copyOf(stored.values()));
    }

    @Override
    public CompletionStage<Void> change(Collection<Alarm> put, Collection<AlarmId> delete) {
        writes++;
        if (broken) {
            return CompletableFuture.failedFuture(new IllegalStateException("broken"));
        }
        return storing.thenRun(() -> {
            put.forEach(each -> stored.put(each.id(), each));
            delete.forEach(stored::remove);
        });
    }
}
