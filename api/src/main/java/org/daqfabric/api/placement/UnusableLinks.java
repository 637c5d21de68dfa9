package org.daqfabric.api.placement;

import java.util.Set;
import org.daqfabric.api.spec.PortId;

/**
 * The links that placement must not use. A link that no switch has reported counts as usable, so that a placement made
 * while switches are still connecting stays.
 *
 * @param down names ({@link org.daqfabric.api.spec.Link#end()}) of the unusable links
 */
public record UnusableLinks(Set<PortId> down) {
    public static final UnusableLinks ALL_UP = new UnusableLinks(Set.of());

    public UnusableLinks {
        down = Set.copyOf(down);
    }
}
