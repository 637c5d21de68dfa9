package org.daqfabric.impl.controller.spi;

import java.util.Optional;
import org.daqfabric.api.placement.Identities;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.FabricSpec;

/**
 * A placement with its port numbers and the identities of the switches, which depend on earlier ones: stored before it
 * is acted on, read after a restart.
 *
 * @param configuration what it was made for, which may be on the way to what is configured; empty in decisions of
 *     versions that did not store it
 */
public record Decision(Placement placement, PortNumbers portNumbers, Identities identities,
        Optional<FabricSpec> configuration) {
    public static final Decision NONE =
        new Decision(Placement.EMPTY, PortNumbers.EMPTY, Identities.NONE, Optional.empty());

    /** The same decision with another placement. */
    public Decision with(Placement other) {
        return new Decision(other, portNumbers, identities, configuration);
    }
}
