package org.daqfabric.impl.controller;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.daqfabric.api.placement.SwitchIdentity;

/**
 * The nodes and datapaths that are connected, with what a loop must be told of those that connected before it knew
 * them. Not thread-safe.
 */
final class Connected {
    private static final String DAQRING = "daqring";

    /** Interface types of the connected nodes, by system-id. */
    private final Map<String, Set<String>> nodes = new HashMap<>();
    /** Whether each port of a connected switch forwards, by datapath-id and number. */
    private final Map<Long, Map<Integer, Boolean>> datapaths = new HashMap<>();

    static boolean supportsRings(Set<String> interfaceTypes) {
        return interfaceTypes.contains(DAQRING);
    }

    void node(String systemId, Set<String> interfaceTypes) {
        nodes.put(systemId, interfaceTypes);
    }

    void nodeGone(String systemId) {
        nodes.remove(systemId);
    }

    void datapath(long datapathId) {
        datapaths.put(datapathId, new HashMap<>());
    }

    void datapathGone(long datapathId) {
        datapaths.remove(datapathId);
    }

    void port(long datapathId, int number, boolean up) {
        datapaths.computeIfPresent(datapathId, (id, ports) -> {
            ports.put(number, up);
            return ports;
        });
    }

    Set<Long> datapathIds() {
        return datapaths.keySet();
    }

    /** Reports what is connected of a switch. */
    void replay(SwitchReports reports, String switchName, SwitchIdentity identity) {
        Set<String> types = nodes.get(identity.systemId());
        if (types != null) {
            reports.nodeConnected(switchName, supportsRings(types));
        }
        Map<Integer, Boolean> ports = datapaths.get(identity.datapathId());
        if (ports != null) {
            reports.switchConnected(switchName);
            ports.forEach((number, up) -> reports.portChanged(switchName, number, up));
        }
    }
}
