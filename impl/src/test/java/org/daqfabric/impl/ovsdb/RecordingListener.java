package org.daqfabric.impl.ovsdb;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.controller.spi.BridgeListener;

/** Records what is reported to it. */
final class RecordingListener implements BridgeListener {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final Map<String, Heard> bridges = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> interfaceTypes = new ConcurrentHashMap<>();

    private final Map<String, String> configured = new ConcurrentHashMap<>();

    private volatile boolean expected;

    record Heard(Map<String, PortStatus> ports, String error) {
    }

    @Override
    public void nodeConnected(String systemId, String ovsVersion, Set<String> types) {
        interfaceTypes.put(systemId, types);
        events.add("connected " + systemId + " " + ovsVersion);
    }

    @Override
    public void nodeDisconnected(String systemId) {
        interfaceTypes.remove(systemId);
        events.add("disconnected " + systemId);
    }

    @Override
    public boolean isExpected(String systemId) {
        return expected;
    }

    @Override
    public Optional<String> fabricOf(String systemId, String bridge) {
        return Optional.ofNullable(configured.get(systemId + "/" + bridge));
    }

    /** A fabric is configured to have a bridge; null for none. */
    void configure(String systemId, String bridge, String fabric) {
        configured.compute(systemId + "/" + bridge, (key, before) -> fabric);
    }

    @Override
    public void bridgeGone(MarkedBridge bridge) {
        events.add("gone " + bridge.systemId() + "/" + bridge.bridge() + " " + bridge.fabric());
    }

    void expectAll(boolean all) {
        expected = all;
    }

    @Override
    public void bridge(String systemId, String bridge, Map<String, PortStatus> ports, String error) {
        bridges.put(systemId + "/" + bridge, new Heard(new TreeMap<>(ports), error));
        events.add("bridge " + systemId + "/" + bridge);
    }

    @Override
    public void ringsDropped(String systemId, String bridge, SortedMap<String, RingDrops> drops, boolean isNow) {
        drops.forEach((port, drop) -> events.add("dropped " + systemId + "/" + bridge + " " + port + " "
            + drop.dropped() + (isNow ? " now" : "")));
    }

    List<String> events() {
        return List.copyOf(events);
    }

    long count(String event) {
        return events.stream().filter(event::equals).count();
    }

    boolean isConnected(String systemId) {
        return interfaceTypes.containsKey(systemId);
    }

    Set<String> interfaceTypes(String systemId) {
        return interfaceTypes.getOrDefault(systemId, Set.of());
    }

    Optional<Heard> heard(String systemId, String bridge) {
        return Optional.ofNullable(bridges.get(systemId + "/" + bridge));
    }

    PortStatus port(String systemId, String bridge, String port) {
        return heard(systemId, bridge).map(heard -> heard.ports().get(port)).orElse(null);
    }

    String error(String systemId, String bridge) {
        return heard(systemId, bridge).map(Heard::error).orElse(null);
    }

    void forget(String systemId, String bridge) {
        bridges.remove(systemId + "/" + bridge);
    }
}
