package org.daqfabric.api.placement;

import com.google.common.collect.ImmutableSortedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.PortId;

/**
 * The routes and lanes of all addresses. They depend on history, so they are stored.
 *
 * @param routes per address, DCMs and ROS alike; addresses that no plane reaches are absent
 * @param lanes per bundle of parallel links, the link (by {@link org.daqfabric.api.spec.Link#end()}) each address that
 *     may pass the bundle takes; empty in a fabric without parallel links
 */
public record Placement(SortedMap<Address, Route> routes, SortedMap<Bundle, SortedMap<Address, PortId>> lanes) {
    /** Nothing placed yet. */
    public static final Placement EMPTY = new Placement(new TreeMap<>(), new TreeMap<>());

    public Placement {
        routes = ImmutableSortedMap.copyOf(routes);
        ImmutableSortedMap.Builder<Bundle, SortedMap<Address, PortId>> copy = ImmutableSortedMap.naturalOrder();
        lanes.forEach((bundle, links) -> copy.put(bundle, ImmutableSortedMap.copyOf(links)));
        lanes = copy.build();
    }
}
