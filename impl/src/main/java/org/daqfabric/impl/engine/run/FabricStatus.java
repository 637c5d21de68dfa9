package org.daqfabric.impl.engine.run;

import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A fabric at one moment.
 *
 * @param topology the configuration in force
 * @param unusable links that placement must not use, and those of switches that may hold no rules
 * @param state the same fabric as published
 * @param settled whether the placement is the one for these links; otherwise a new one is being computed
 */
public record FabricStatus(Topology topology, UnusableLinks unusable, Placement placement, FabricState state,
        boolean settled) {
}
