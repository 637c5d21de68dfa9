package org.daqfabric.impl.ovsdb;

import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Bridge.Port;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.state.MarkedBridge;

/** Bridges for tests. */
final class TestBridges {
    static final String FABRIC = "atlas";
    static final long DATAPATH_ID = 0x0000_0200_0000_0001L;

    private TestBridges() {
    }

    static Bridge bridge(String name, Map<String, Port> ports) {
        return bridge(FABRIC, name, ports);
    }

    static Bridge bridge(String fabric, String name, Map<String, Port> ports) {
        return new Bridge(fabric, name, DATAPATH_ID, new Mac(DATAPATH_ID), DatapathType.NETDEV, new TreeMap<>(ports));
    }

    /** The same bridge with an MTU. */
    static Bridge mtu(Bridge bridge, int mtu) {
        return new Bridge(bridge.fabric(), bridge.name(), bridge.datapathId(), bridge.mac(), bridge.datapathType(),
            bridge.ports(), OptionalInt.of(mtu), bridge.node(), bridge.surplusStays());
    }

    /** A bridge as the fabric of the others made it. */
    static MarkedBridge marked(String systemId, String bridge) {
        return new MarkedBridge(systemId, bridge, FABRIC);
    }

    static Port device(int number) {
        return port(number, "", Map.of());
    }

    static Port port(int number, String type, Map<String, String> options) {
        return new Port(number, type, sorted(options), sorted(Map.of()));
    }

    static Port bfd(int number) {
        return new Port(number, "", sorted(Map.of()), sorted(Map.of("enable", "true", "min_tx", "100")));
    }

    static SortedMap<String, String> sorted(Map<String, String> map) {
        return new TreeMap<>(map);
    }
}
