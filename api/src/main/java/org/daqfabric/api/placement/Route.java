package org.daqfabric.api.placement;

import com.google.common.collect.ImmutableSortedMap;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * The route of one address: planes in order, and a spine with backup per plane; for packets from some pods another one.
 *
 * @param planes ids of the planes that reach the address's edge switch, primary first, in the order in which switches
 *     try them
 * @param spines by plane id: one entry for each of {@code planes}, and the last choice in planes that do not reach it
 *     now
 * @param fromPods by the id of the pod that packets come from, the route of those that take another one; these have no
 *     such routes themselves. Empty unless the policy places by pod
 */
public record Route(List<Integer> planes, SortedMap<Integer, SpineChoice> spines, SortedMap<Integer, Route> fromPods) {
    public Route {
        planes = List.copyOf(planes);
        spines = ImmutableSortedMap.copyOf(spines);
        fromPods = ImmutableSortedMap.copyOf(fromPods);
    }

    /** A route that packets from all pods take. */
    public Route(List<Integer> planes, SortedMap<Integer, SpineChoice> spines) {
        this(planes, spines, Collections.emptySortedMap());
    }

    /** The spines of a plane that carry the address; {@link SpineChoice#NONE} if the plane never carried it. */
    public SpineChoice spineChoice(int plane) {
        return spines.getOrDefault(plane, SpineChoice.NONE);
    }

    /** The route of packets from a pod. */
    public Route from(int pod) {
        return fromPods.getOrDefault(pod, this);
    }

    /** The same with other routes for packets from some pods. */
    public Route withPods(SortedMap<Integer, Route> routes) {
        return fromPods.equals(routes) ? this : new Route(planes, spines, routes);
    }
}
