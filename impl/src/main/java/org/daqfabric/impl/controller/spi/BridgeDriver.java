package org.daqfabric.impl.controller.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;

/** Creates and changes bridges and their ports; the implementation uses OVSDB. All methods return at once. */
public interface BridgeDriver {
    /**
     * Sets the desired state of the bridge of that name on a node. It replaces the one given before; the driver works
     * towards it across errors and reconnections, and sends nothing if the node is already in that state.
     *
     * @param address where to connect to the node; empty if the node connects to the controller
     */
    void put(String systemId, Optional<OvsdbAddress> address, Bridge bridge);

    /**
     * Compares a node's bridge, with its ports, daqrings and BFD, with the desired one. The answer is also empty while
     * a change is in flight.
     */
    CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge);

    /**
     * The statistics of the ports and daqrings in a node's bridge as its Open vSwitch counts them, by port and by name
     * of the statistic; fails while the node is not connected.
     */
    CompletionStage<Map<String, Map<String, Long>>> statistics(String systemId, String bridge);

    /** Removes a bridge from a node; if the node is not connected, when it reconnects. */
    void remove(String systemId, String bridge);
}
