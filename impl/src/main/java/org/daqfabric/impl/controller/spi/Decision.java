package org.daqfabric.impl.controller.spi;

import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;

/**
 * A placement and its port numbers, which depend on earlier ones: stored before it is acted on, read after a restart.
 */
public record Decision(Placement placement, PortNumbers portNumbers) {
    public static final Decision NONE = new Decision(Placement.EMPTY, PortNumbers.EMPTY);

    /** The same decision with another placement. */
    public Decision with(Placement other) {
        return new Decision(other, portNumbers);
    }
}
