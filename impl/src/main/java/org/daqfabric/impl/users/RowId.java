package org.daqfabric.impl.users;

import java.util.Comparator;

/**
 * Which row.
 *
 * @param id as AAA makes it, such as {@code anna@sdn}
 */
record RowId(Kind kind, String id) implements Comparable<RowId> {
    private static final Comparator<RowId> ORDER = Comparator.comparing(RowId::kind).thenComparing(RowId::id);

    @Override
    public int compareTo(RowId other) {
        return ORDER.compare(this, other);
    }
}
