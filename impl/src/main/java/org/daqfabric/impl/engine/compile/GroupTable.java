package org.daqfabric.impl.engine.compile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.daqfabric.api.program.Entries;
import org.daqfabric.api.program.Group;

/** The groups of one switch while it is compiled: one per key that some rule needs. */
final class GroupTable {
    private final Map<Integer, Group> groups = new HashMap<>();
    private final Map<GroupKey, Integer> ids = new HashMap<>();

    private final RuleInterner interner;
    private Map<GroupKey, List<Group.Bucket>> reused = Map.of();

    GroupTable(RuleInterner interner) {
        this.interner = interner;
    }

    /** Reuses these buckets for groups with their keys. */
    void reuse(Map<GroupKey, List<Group.Bucket>> buckets) {
        reused = buckets;
    }

    /** The buckets of the groups so far, by key. */
    Map<GroupKey, List<Group.Bucket>> buckets() {
        Map<GroupKey, List<Group.Bucket>> buckets = new HashMap<>();
        ids.forEach((key, id) -> buckets.put(key, groups.get(id).buckets()));
        return buckets;
    }

    /** The id of the group for a key; its buckets are computed when it is first asked for. */
    int id(GroupKey key, Supplier<List<Group.Bucket>> buckets) {
        Integer given = ids.get(key);
        if (given != null) {
            return given;
        }
        int attempt = 0;
        int id = interner.id(key);
        // two keys with the same hash are rare and do no harm: the later one takes its next id, and should their order
        // change, the diff changes the ids like any other difference
        while (groups.containsKey(id)) {
            id = key.id(++attempt);
        }
        ids.put(key, id);
        Group.Type type = key instanceof GroupKey.Back ? Group.Type.INDIRECT : Group.Type.FAST_FAILOVER;
        List<Group.Bucket> known = reused.get(key);
        groups.put(id, new Group(id, type, known != null ? known : buckets.get()));
        return id;
    }

    Entries<Integer, Group> groups() {
        return Entries.ofGroups(groups.values());
    }
}
