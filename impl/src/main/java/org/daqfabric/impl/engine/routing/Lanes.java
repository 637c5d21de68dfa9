package org.daqfabric.impl.engine.routing;

import java.util.Collections;
import java.util.List;
import org.daqfabric.api.placement.Bundle;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Segment;

/** Which of several parallel links is the lane of an address. */
public final class Lanes {
    private Lanes() {
    }

    /**
     * The position of an address's lane among the usable links of a bundle. An address whose lane is not usable gets
     * the link that follows by name, cyclically; one without a lane gets the first.
     *
     * @param usable not empty, ordered by name
     */
    public static int chosen(Placement placement, Bundle bundle, List<Segment> usable, Address address) {
        PortId lane = placement.lanes().getOrDefault(bundle, Collections.emptySortedMap()).get(address);
        if (lane == null) {
            return 0;
        }
        for (int index = 0; index < usable.size(); index++) {
            if (usable.get(index).id().compareTo(lane) >= 0) {
                return index;
            }
        }
        return 0;
    }
}
