package org.daqfabric.impl.controller.spi;

import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Hears what {@link BridgeDriver} sees. Called on its threads; returns at once. */
public interface BridgeListener {
    /**
     * A node's OVSDB connection came up, or its facts changed.
     *
     * @param interfaceTypes what the node's Open vSwitch can make ({@code iface_types})
     */
    void nodeConnected(String systemId, String ovsVersion, Set<String> interfaceTypes);

    void nodeDisconnected(String systemId);

    /**
     * Whether a node without wishes may yet be given some: the configuration has not been read, or names the node.
     */
    boolean isExpected(String systemId);

    /**
     * What a node holds in a bridge of ours, after every change of it.
     *
     * @param ports by name
     * @param error why the bridge is not as wanted and what to change; empty if it is, or is on its way
     */
    void bridge(String systemId, String bridge, Map<String, PortStatus> ports, String error);

    /**
     * One port as OVSDB reports it.
     *
     * @param number its OpenFlow number; empty if Open vSwitch could not make it
     * @param up carrier and administrative state; a port nobody reported on yet counts as up
     * @param error the Interface row's error
     */
    record PortStatus(OptionalInt number, boolean up, String error) {
    }
}
