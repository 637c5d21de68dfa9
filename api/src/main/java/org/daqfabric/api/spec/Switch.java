package org.daqfabric.api.spec;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One Open vSwitch bridge of the fabric and the node it runs on.
 *
 * @param systemId the node's {@code external_ids:system-id}
 * @param ovsdbAddress where the controller connects to the node's OVSDB server; empty if the node connects to the
 *     controller
 * @param ports settings of ports that have some, by name; the others are {@link PortSettings#SYSTEM}
 * @param dpdk what its node needs for ports that Open vSwitch polls
 * @param certificateName the name in the node's certificate; empty if that is the system-id
 */
public record Switch(String name, String systemId, Optional<OvsdbAddress> ovsdbAddress, String bridge,
        DatapathType datapathType, AdminState adminState, SortedMap<String, PortSettings> ports,
        DpdkSettings dpdk, Optional<String> certificateName) {
    public Switch {
        ports = Collections.unmodifiableSortedMap(new TreeMap<>(ports));
    }

    /** Whose node's certificate, if there is one, has the system-id as its name. */
    public Switch(String name, String systemId, Optional<OvsdbAddress> ovsdbAddress, String bridge,
            DatapathType datapathType, AdminState adminState, SortedMap<String, PortSettings> ports,
            DpdkSettings dpdk) {
        this(name, systemId, ovsdbAddress, bridge, datapathType, adminState, ports, dpdk, Optional.empty());
    }

    /** Whose ports are all network devices of the kernel. */
    public Switch(String name, String systemId, Optional<OvsdbAddress> ovsdbAddress, String bridge,
            DatapathType datapathType, AdminState adminState) {
        this(name, systemId, ovsdbAddress, bridge, datapathType, adminState, Collections.emptySortedMap(),
            DpdkSettings.NONE);
    }

    /** The same switch under another name. */
    public Switch withName(String other) {
        return new Switch(other, systemId, ovsdbAddress, bridge, datapathType, adminState, ports, dpdk,
            certificateName);
    }

    /** The same switch in another administrative state. */
    public Switch withState(AdminState state) {
        return new Switch(name, systemId, ovsdbAddress, bridge, datapathType, state, ports, dpdk,
            certificateName);
    }

    /** How a port is reached. */
    public PortSettings port(String port) {
        return ports.getOrDefault(port, PortSettings.SYSTEM);
    }

    /**
     * An OVSDB server that listens.
     *
     * @param host IP address or name
     * @param port TCP port, 1..65535
     */
    public record OvsdbAddress(String host, int port) {
    }
}
