package org.daqfabric.api.placement;

import java.util.Comparator;

/**
 * Two or more parallel links between the same two switches.
 *
 * @param lower the edge switch or leaf
 * @param upper the leaf or spine
 */
public record Bundle(String lower, String upper) implements Comparable<Bundle> {
    private static final Comparator<Bundle> ORDER = Comparator.comparing(Bundle::lower).thenComparing(Bundle::upper);

    @Override
    public int compareTo(Bundle other) {
        return ORDER.compare(this, other);
    }
}
