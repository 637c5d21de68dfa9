package org.daqfabric.impl.controller.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;

/** Brings bridges and their ports into being; what stands behind it speaks OVSDB. All methods return at once. */
public interface BridgeDriver {
    /**
     * Says what a node must hold in the bridge of that name. The newest wins; the driver keeps working towards it
     * across errors and reconnections, and does nothing where the node already is as wanted.
     *
     * @param address where to connect to the node; empty if it connects to us
     */
    void put(String systemId, Optional<OvsdbAddress> address, Bridge bridge);

    /**
     * In what a node's bridge, with its ports, daqrings and BFD, differs from what is wanted at this moment; empty too
     * while a change is on its way.
     */
    CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge);

    /**
     * The statistics of the ports and daqrings in a node's bridge as its Open vSwitch counts them, by port and by the
     * statistic's name; fails while the node is not connected.
     */
    CompletionStage<Map<String, Map<String, Long>>> statistics(String systemId, String bridge);

    /** Takes a bridge off a node, or forgets it if the node is away and takes it off on return. */
    void remove(String systemId, String bridge);
}
