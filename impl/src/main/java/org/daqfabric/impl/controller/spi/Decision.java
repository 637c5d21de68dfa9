package org.daqfabric.impl.controller.spi;

import org.daqfabric.api.placement.Identities;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;

/**
 * A placement with its port numbers and the identities of the switches, which depend on earlier ones: stored before it
 * is acted on, read after a restart.
 */
public record Decision(Placement placement, PortNumbers portNumbers, Identities identities) {
    public static final Decision NONE = new Decision(Placement.EMPTY, PortNumbers.EMPTY, Identities.NONE);

    /** The same decision with another placement. */
    public Decision with(Placement other) {
        return new Decision(other, portNumbers, identities);
    }
}
