package org.daqfabric.impl.controller.spi;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.MarkedBridge;

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
     * Reads the ports and daqrings of a node's bridge, and the bridge's own port, as its Open vSwitch counts and
     * describes them, by name; fails while the node is not connected.
     */
    CompletionStage<SortedMap<String, PortReading>> readPorts(String systemId, String bridge);

    /** The fabrics that made bridges of the connected nodes, by system-id and name of the bridge. */
    CompletionStage<SortedMap<String, SortedMap<String, String>>> marks();

    /**
     * Removes the bridge that a fabric made from its node; if the node is not connected, when it reconnects. A bridge
     * of that name which another fabric made or is configured to have is left alone. Ends with {@link
     * BridgeListener#bridgeGone}, or without a report when the same fabric puts the bridge again.
     *
     * @param address where to connect to the node; empty if the node connects to the controller
     */
    void remove(MarkedBridge bridge, Optional<OvsdbAddress> address);

    /** Gives up a removal; the node keeps the bridge if it still has it. */
    void endRemoval(MarkedBridge bridge);
}
