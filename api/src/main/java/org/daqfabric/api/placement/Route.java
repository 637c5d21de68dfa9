package org.daqfabric.api.placement;

import com.google.common.collect.ImmutableSortedMap;
import java.util.List;
import java.util.SortedMap;

/**
 * How packets to one address travel.
 *
 * @param planes ids of the planes that reach the address's edge switch, primary first, in the order they are tried
 * @param spines the spine per plane id: one entry for each of {@code planes}, and what was last used in planes that
 *     are out of reach
 */
public record Route(List<Integer> planes, SortedMap<Integer, SpineChoice> spines) {
    public Route {
        planes = List.copyOf(planes);
        spines = ImmutableSortedMap.copyOf(spines);
    }

    /** The spines of a plane that carry the address; {@link SpineChoice#NONE} if the plane never carried it. */
    public SpineChoice spineChoice(int plane) {
        return spines.getOrDefault(plane, SpineChoice.NONE);
    }
}
