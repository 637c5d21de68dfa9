package org.daqfabric.impl.engine.whatif;

import java.util.Map;
import java.util.function.Predicate;
import org.daqfabric.api.plan.Effect.Count;

/** Counts the differences between two maps. */
public final class ChangeCount {
    private ChangeCount() {
    }

    /** Counts the entries of a kind, by key. */
    public static <K, V> Count count(Map<K, V> before, Map<K, V> after, Predicate<V> kind) {
        int added = 0;
        int changed = 0;
        int removed = 0;
        for (Map.Entry<K, V> entry : after.entrySet()) {
            if (kind.test(entry.getValue())) {
                V old = before.get(entry.getKey());
                added += old == null ? 1 : 0;
                changed += old == null || old.equals(entry.getValue()) ? 0 : 1;
            }
        }
        for (Map.Entry<K, V> entry : before.entrySet()) {
            removed += kind.test(entry.getValue()) && !after.containsKey(entry.getKey()) ? 1 : 0;
        }
        return new Count(added, changed, removed);
    }
}
