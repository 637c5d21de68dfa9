package org.daqfabric.api.alarm;

import java.util.Comparator;

/** What tells one alarm from another: there is at most one of a type for a resource. */
public record AlarmId(AlarmResource resource, AlarmType type) implements Comparable<AlarmId> {
    private static final Comparator<AlarmId> ORDER =
        Comparator.comparing(AlarmId::resource).thenComparing(AlarmId::type);

    @Override
    public int compareTo(AlarmId other) {
        return ORDER.compare(this, other);
    }
}
