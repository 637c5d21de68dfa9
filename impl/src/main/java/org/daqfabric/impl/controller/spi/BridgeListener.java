package org.daqfabric.impl.controller.spi;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.RingDrops;

/** Receives what nodes report over OVSDB. Called on the threads of {@link BridgeDriver}; returns at once. */
public interface BridgeListener {
    /**
     * A node's OVSDB connection came up, or its version or interface types changed.
     *
     * @param interfaceTypes the types of interface that the node's Open vSwitch supports ({@code iface_types})
     */
    void nodeConnected(String systemId, String ovsVersion, Set<String> interfaceTypes);

    void nodeDisconnected(String systemId);

    /**
     * Whether a node without desired bridges may still get some: the configuration has not been read, or names the
     * node.
     */
    boolean isExpected(String systemId);

    /** The configured fabric that names a bridge; empty if none does. */
    Optional<String> fabricOf(String systemId, String bridge);

    /** A node that is connected does not have a bridge that it was to remove. */
    void bridgeGone(MarkedBridge bridge);

    /**
     * The state of one of our bridges on a node, after every change of it.
     *
     * @param ports by name
     * @param error why the bridge is not in the desired state and what to change; empty if it is, or if a change is in
     *     flight
     */
    void bridge(String systemId, String bridge, Map<String, PortStatus> ports, String error);

    /**
     * Daqrings of one of our bridges have dropped packets: episodes that were not reported yet, or that went on. What a
     * switch holds back is reported again when it reconnects.
     *
     * @param drops by port
     * @param isNow whether a daqring had held back something else, or nothing, until now, so that the drops were just
     *     before; otherwise they may be of any time
     */
    void ringsDropped(String systemId, String bridge, SortedMap<String, RingDrops> drops, boolean isNow);

    /**
     * One port as OVSDB reports it.
     *
     * @param number its OpenFlow number; empty if Open vSwitch could not create it
     * @param up whether it has carrier and is enabled; a port without a report yet counts as up
     * @param error the column {@code error} of its Interface row
     */
    record PortStatus(OptionalInt number, boolean up, String error) {
    }
}
