package org.daqfabric.impl.engine.run;

import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A fabric at one moment.
 *
 * @param topology the configuration in force
 * @param view what can be used
 * @param state the same as others see it
 * @param settled whether the placement is the one for what can be used; otherwise a better one is under way
 */
public record FabricStatus(Topology topology, UnusableLinks view, Placement placement, FabricState state, boolean settled) {
}
