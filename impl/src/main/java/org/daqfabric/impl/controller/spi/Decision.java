package org.daqfabric.impl.controller.spi;

import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;

/** What was decided and depends on history: stored before it is acted on, read back after a restart. */
public record Decision(Placement placement, PortNumbers portNumbers) {
    public static final Decision NONE = new Decision(Placement.EMPTY, PortNumbers.EMPTY);
}
