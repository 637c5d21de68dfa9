package org.daqfabric.impl.engine.run;

import org.daqfabric.api.placement.FabricView;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A fabric at one moment.
 *
 * @param topology the configuration in force
 * @param view what can be used
 * @param state the same as others see it
 */
public record Picture(Topology topology, FabricView view, Placement placement, FabricState state) {
}
