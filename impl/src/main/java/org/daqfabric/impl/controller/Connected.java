package org.daqfabric.impl.controller;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.daqfabric.api.placement.SwitchIdentity;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;

/**
 * The nodes and datapaths that are connected, with what a loop must be told of those that connected before it knew
 * them. Not thread-safe.
 */
final class Connected {
    private static final String DAQRING = "daqring";

    /** Interface types of the connected nodes, by system-id. */
    private final Map<String, Set<String>> nodes = new HashMap<>();
    /** What connected nodes last reported of our bridges, by system-id and bridge. */
    private final Map<String, Map<String, BridgeReport>> bridges = new HashMap<>();
    /** The ports of connected switches, by datapath-id and number. */
    private final Map<Long, Map<Integer, PortReport>> datapaths = new HashMap<>();

    private record BridgeReport(Map<String, PortStatus> ports, String error) {
    }

    private record PortReport(boolean up, Set<PortBit> bits) {
    }

    static boolean supportsRings(Set<String> interfaceTypes) {
        return interfaceTypes.contains(DAQRING);
    }

    void node(String systemId, Set<String> interfaceTypes) {
        nodes.put(systemId, interfaceTypes);
    }

    void nodeGone(String systemId) {
        nodes.remove(systemId);
        bridges.remove(systemId);
    }

    void bridge(String systemId, String bridge, Map<String, PortStatus> ports, String error) {
        bridges.computeIfAbsent(systemId, id -> new HashMap<>()).put(bridge, new BridgeReport(ports, error));
    }

    void bridgeGone(String systemId, String bridge) {
        bridges.getOrDefault(systemId, new HashMap<>()).remove(bridge);
    }

    void datapath(long datapathId) {
        datapaths.put(datapathId, new HashMap<>());
    }

    void datapathGone(long datapathId) {
        datapaths.remove(datapathId);
    }

    void port(long datapathId, int number, boolean up, Set<PortBit> bits) {
        datapaths.computeIfPresent(datapathId, (id, ports) -> {
            ports.put(number, new PortReport(up, bits));
            return ports;
        });
    }

    Set<Long> datapathIds() {
        return datapaths.keySet();
    }

    /**
     * Reports what is connected of a switch, and what is not: it may have been known before, and have left the
     * configuration for a while, in which its reports went nowhere.
     */
    void replay(SwitchReports reports, String switchName, SwitchIdentity identity) {
        Set<String> types = nodes.get(identity.systemId());
        if (types != null) {
            reports.nodeConnected(switchName, supportsRings(types));
        } else {
            reports.nodeDisconnected(switchName);
        }
        BridgeReport bridge = bridges.getOrDefault(identity.systemId(), Map.of()).get(identity.bridge());
        if (bridge != null) {
            reports.bridge(switchName, bridge.ports, bridge.error);
        }
        Map<Integer, PortReport> ports = datapaths.get(identity.datapathId());
        if (ports != null) {
            reports.switchConnected(switchName);
            ports.forEach((number, port) -> reports.portChanged(switchName, number, port.up(), port.bits()));
        } else {
            reports.switchDisconnected(switchName);
        }
    }
}
