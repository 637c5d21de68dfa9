package org.daqfabric.impl.async;

import java.util.Set;
import org.eclipse.jdt.annotation.Nullable;

/**
 * What a result was computed from, to decide whether it must be computed again. Immutable objects that are replaced as
 * a whole are compared by identity, which costs nothing; only numbers, truth values and sets are compared by content.
 */
public final class CacheKey {
    private final Object[] inputs;

    private CacheKey(Object[] inputs) {
        this.inputs = inputs;
    }

    public static CacheKey of(Object... inputs) {
        return new CacheKey(inputs.clone());
    }

    /**
     * Whether nothing has changed since.
     *
     * @param before null if nothing was computed yet
     */
    public boolean isSame(@Nullable CacheKey before) {
        if (before == null || before.inputs.length != inputs.length) {
            return false;
        }
        for (int each = 0; each < inputs.length; each++) {
            if (!isSame(inputs[each], before.inputs[each])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSame(Object now, Object before) {
        return now == before || (now instanceof Number || now instanceof Boolean || now instanceof Set)
            && now.equals(before);
    }
}
