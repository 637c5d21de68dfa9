package org.daqfabric.api.placement;

import com.google.common.collect.ImmutableSortedMap;
import java.util.List;
import java.util.SortedMap;

/**
 * The route of one address: planes in order, and a spine with backup per plane.
 *
 * @param planes ids of the planes that reach the address's edge switch, primary first, in the order in which switches
 *     try them
 * @param spines by plane id: one entry for each of {@code planes}, and the last choice in planes that do not reach it
 *     now
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
