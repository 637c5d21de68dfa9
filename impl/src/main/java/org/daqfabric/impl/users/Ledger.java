package org.daqfabric.impl.users;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The newest that a member knows of every row, deleted ones included. All members come to the same, whatever they tell
 * each other in which order and how often, because {@link #merged} is the maximum of each entry.
 *
 * <p>A value. Rows are those of one member's database.
 */
record Ledger(SortedMap<RowId, Entry> entries) {
    static final Ledger EMPTY = new Ledger(new TreeMap<>());

    Ledger {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }

    /** The ledger of a member that begins to share what it has. */
    static Ledger first(Map<RowId, Row> rows, String member, long now) {
        SortedMap<RowId, Entry> entries = new TreeMap<>();
        rows.forEach((id, row) -> entries.put(id, new Entry(Optional.of(row), new Stamp(true, now, member))));
        return new Ledger(entries);
    }

    /**
     * With what has been changed at this member. The roles of a user who was deleted go as well: AAA would keep them
     * for the next one of that name.
     *
     * @param seen the rows as they were before
     * @param rows as they are now
     */
    Ledger observed(Map<RowId, Row> seen, Map<RowId, Row> rows, String member, long now) {
        SortedMap<RowId, Entry> next = new TreeMap<>(entries);
        Set<String> deletedUsers = new TreeSet<>();
        Stream.concat(seen.keySet().stream(), rows.keySet().stream()).distinct().forEach(id -> {
            Optional<Row> row = Optional.ofNullable(rows.get(id));
            // what another member has decided may have been written here, and the controller killed, before it was seen
            boolean isKnown = Optional.ofNullable(entries.get(id)).map(Entry::row).orElse(Optional.empty()).equals(row);
            if (!row.equals(Optional.ofNullable(seen.get(id))) && !isKnown) {
                next.put(id, changed(id, row, member, now));
                if (id.kind() == Kind.USER && row.isEmpty()) {
                    deletedUsers.add(id.id());
                }
            }
        });
        entries.forEach((id, entry) -> entry.row().filter(row -> id.kind() == Kind.GRANT
            && deletedUsers.contains(row.get(Row.USER))).ifPresent(row ->
            next.put(id, changed(id, Optional.empty(), member, now))));
        return new Ledger(next);
    }

    private Entry changed(RowId id, Optional<Row> row, String member, long now) {
        Entry before = entries.get(id);
        return new Entry(row, before == null ? new Stamp(false, now, member) : before.stamp().then(now, member));
    }

    /** With what another member knows. */
    Ledger merged(Ledger other) {
        SortedMap<RowId, Entry> next = new TreeMap<>(entries);
        other.entries.forEach((id, entry) -> next.merge(id, entry, (mine, theirs) ->
            theirs.stamp().countsBefore(mine.stamp()) ? theirs : mine));
        return new Ledger(next);
    }

    /** What makes a member's rows those of this ledger: deletions first, and nothing before what it names. */
    List<RowChange> changes(Map<RowId, Row> rows) {
        List<RowChange> deletions = new ArrayList<>();
        List<RowChange> writes = new ArrayList<>();
        entries.forEach((id, entry) -> {
            if (!entry.row().equals(Optional.ofNullable(rows.get(id)))) {
                (entry.row().isPresent() ? writes : deletions).add(new RowChange(id, entry.row(),
                    entry.stamp().member()));
            }
        });
        Collections.reverse(deletions);
        deletions.addAll(writes);
        return deletions;
    }

    /** Ids of all users that there are or were, who may have roles. */
    Set<String> users() {
        return entries.keySet().stream().filter(id -> id.kind() == Kind.USER).map(RowId::id)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The same ledger in parts of at most so many entries, each of which may be merged alone. */
    Collection<Ledger> parts(int most) {
        List<RowId> ids = new ArrayList<>(entries.keySet());
        List<Ledger> parts = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += most) {
            SortedMap<RowId, Entry> part = new TreeMap<>();
            ids.subList(from, Math.min(from + most, ids.size())).forEach(id -> part.put(id, entries.get(id)));
            parts.add(new Ledger(part));
        }
        return parts;
    }
}
