package org.daqfabric.impl.engine.compile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.daqfabric.api.program.Entries;
import org.daqfabric.api.program.Group;

/** The groups of one switch while its program is made: one per key that some rule needs. */
final class GroupTable {
    private final Map<Integer, Group> groups = new HashMap<>();
    private final Map<GroupKey, Integer> ids = new HashMap<>();

    private final RuleInterner shared;
    /** What had the same content; empty if there is nothing. */
    private Map<GroupKey, List<Group.Bucket>> known = Map.of();

    GroupTable(RuleInterner shared) {
        this.shared = shared;
    }

    /** Groups for these keys have these contents. */
    void take(Map<GroupKey, List<Group.Bucket>> contents) {
        known = contents;
    }

    /** What the groups do, by what they are for. */
    Map<GroupKey, List<Group.Bucket>> contents() {
        Map<GroupKey, List<Group.Bucket>> contents = new HashMap<>();
        ids.forEach((key, id) -> contents.put(key, groups.get(id).buckets()));
        return contents;
    }

    /** The id of the group for a key; its content is asked for once. */
    int id(GroupKey key, Supplier<List<Group.Bucket>> buckets) {
        Integer given = ids.get(key);
        if (given != null) {
            return given;
        }
        int attempt = 0;
        int id = shared.id(key);
        // two keys with the same hash are rare, and harmless: the later takes the next number, and a change of
        // numbers is an ordinary difference
        while (groups.containsKey(id)) {
            id = key.id(++attempt);
        }
        ids.put(key, id);
        Group.Type type = key instanceof GroupKey.Back ? Group.Type.INDIRECT : Group.Type.FAST_FAILOVER;
        List<Group.Bucket> content = known.get(key);
        groups.put(id, new Group(id, type, content != null ? content : buckets.get()));
        return id;
    }

    Entries<Integer, Group> groups() {
        return Entries.ofGroups(groups.values());
    }
}
