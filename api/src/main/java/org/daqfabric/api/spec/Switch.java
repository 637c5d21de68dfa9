package org.daqfabric.api.spec;

import java.util.Optional;

/**
 * One Open vSwitch bridge of the fabric and the node it runs on.
 *
 * @param systemId the node's {@code external_ids:system-id}
 * @param ovsdbAddress where the controller connects to the node's OVSDB server; empty if the node connects to the
 *     controller
 */
public record Switch(String name, String systemId, Optional<OvsdbAddress> ovsdbAddress, String bridge,
        DatapathType datapathType, AdminState adminState) {
    /**
     * An OVSDB server that listens.
     *
     * @param host IP address or name
     * @param port TCP port, 1..65535
     */
    public record OvsdbAddress(String host, int port) {
    }
}
