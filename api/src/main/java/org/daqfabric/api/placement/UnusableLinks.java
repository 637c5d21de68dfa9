package org.daqfabric.api.placement;

import java.util.Set;
import org.daqfabric.api.spec.PortId;

/**
 * What is known to be out of order. What nobody has reported on counts as up, so that a placement made while switches
 * are still connecting is the one that stays.
 *
 * @param down names ({@link org.daqfabric.api.spec.Link#end()}) of links known to carry nothing
 */
public record UnusableLinks(Set<PortId> down) {
    public static final UnusableLinks ALL_UP = new UnusableLinks(Set.of());

    public UnusableLinks {
        down = Set.copyOf(down);
    }
}
