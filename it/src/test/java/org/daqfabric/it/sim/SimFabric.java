package org.daqfabric.it.sim;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The switches of a fabric file, simulated and cabled as configured. Methods may be called from any thread and return
 * when their effect is complete; times are those of {@link System#nanoTime()}.
 */
public final class SimFabric implements AutoCloseable {
    private final Map<String, SimNode> nodes = new LinkedHashMap<>();
    /** Node and bridge by name of the switch. */
    private final Map<String, BridgeRef> switches = new LinkedHashMap<>();
    /** The other end of each cable, both ways. */
    private final Map<PortRef, PortRef> cables = new HashMap<>();
    private final Set<PortRef> hosts = new HashSet<>();
    private final Set<PortRef> cut = new HashSet<>();
    /** Ports whose packets of IP are lost on the cable. */
    private final Set<PortRef> silent = new HashSet<>();
    /** Ports of whose frames one of so many is lost on the cable. */
    private final Map<PortRef, Integer> lossy = new HashMap<>();
    private long frames;
    /** Packets of IP that each port has sent over its cable since {@link #reset}. */
    private final Map<PortRef, Long> carried = new HashMap<>();
    private final EventLoop loop = new EventLoop();

    private record BridgeRef(SimNode node, String bridge) {
    }

    private record PortRef(SimNode node, String device) {
    }

    /**
     * Creates the switches, all without power.
     *
     * @param fabric as in a fabric file
     * @param manager address on which the controller listens for OVSDB
     * @param knowsRings whether the switches have daqrings
     */
    public SimFabric(final JsonObject fabric, final InetSocketAddress manager, final boolean knowsRings) {
        for (var each : list(fabric, "switch")) {
            final var name = each.get("name").getAsString();
            final var systemId = each.has("system-id") ? each.get("system-id").getAsString() : name;
            switches.put(name, new BridgeRef(nodes.computeIfAbsent(systemId, id ->
                new SimNode(loop, id, manager, knowsRings, new Cables())),
                each.has("bridge") ? each.get("bridge").getAsString() : "br-daq"));
        }
        for (var each : list(fabric, "link")) {
            final var portRef = portRef(each.get("switch").getAsString(), each.get("port").getAsString());
            final var peer = portRef(each.get("peer-switch").getAsString(), each.get("peer-port").getAsString());
            cables.put(portRef, peer);
            cables.put(peer, portRef);
        }
        for (var pod : list(fabric, "pod")) {
            for (var rack : list(pod, "hlt-rack")) {
                list(rack, "dcm").stream().filter(dcm -> dcm.has("port")).forEach(dcm ->
                    hosts.add(portRef(rack.get("switch").getAsString(), dcm.get("port").getAsString())));
            }
        }
    }

    private final class Cables implements SimNode.Environment {
        @Override
        public Optional<Boolean> carrier(final SimNode node, final String device) {
            final var portRef = new PortRef(node, device);
            final var peer = cables.get(portRef);
            return peer != null ? Optional.of(isUp(portRef)) : hosts.contains(portRef) ? Optional.of(true)
                : Optional.empty();
        }

        @Override
        public void sent(final SimNode node, final String device, final byte[] frame) {
            final var sender = new PortRef(node, device);
            final var peer = cables.get(sender);
            if (peer != null && isUp(peer) && !isLost(sender, frame)) {
                if (isIp(frame)) {
                    carried.merge(sender, 1L, Long::sum);
                }
                peer.node.arrive(peer.device, frame);
            }
        }
    }

    private boolean isLost(final PortRef sender, final byte[] frame) {
        return isIp(frame) && silent.contains(sender)
            || lossy.containsKey(sender) && ++frames % lossy.get(sender) == 0;
    }

    private static boolean isIp(final byte[] frame) {
        final int type = (frame[12] & 0xff) << 8 | frame[13] & 0xff;
        return type == 0x0800 || type == 0x86dd;
    }

    private boolean isUp(final PortRef portRef) {
        final var peer = cables.get(portRef);
        return !cut.contains(portRef) && !cut.contains(peer) && portRef.node.isOn() && peer.node.isOn();
    }

    /** Powers on all switches. */
    public SimFabric start() {
        return on(switches.keySet());
    }

    public Collection<String> switches() {
        return switches.keySet();
    }

    /** Counts as if every port had sent and received that many frames in all; daqrings count nothing. */
    public void count(final long frames) {
        loop.ask(() -> {
            nodes.values().forEach(node -> node.count(frames));
            return frames;
        });
    }

    /** Cuts links, each given by one end as {@code switch:port}; returns the time. */
    public long cut(final Collection<String> links) {
        return setCut(links, true);
    }

    /** Restores links, each given by one end as {@code switch:port}; returns the time. */
    public long restore(final Collection<String> links) {
        return setCut(links, false);
    }

    /** Packets of IP that a port sends, given as {@code switch:port}, are lost from now on, or pass again; the time. */
    public long silence(final String end, final boolean isSilent) {
        return loop.ask(() -> {
            if (isSilent) {
                silent.add(portRef(end));
            } else {
                silent.remove(portRef(end));
            }
            return System.nanoTime();
        });
    }

    /** One of so many frames that a port sends, given as {@code switch:port}, is lost from now on. */
    public void lose(final String end, final int oneOf) {
        loop.ask(() -> {
            lossy.put(portRef(end), oneOf);
            return oneOf;
        });
    }

    private long setCut(final Collection<String> links, final boolean cutting) {
        return loop.ask(() -> {
            final long now = System.nanoTime();
            for (var link : links) {
                final var portRef = portRef(link);
                final var peer = cables.get(portRef);
                if (peer == null) {
                    throw new IllegalArgumentException("no link " + link);
                }
                if (cutting) {
                    cut.add(portRef);
                } else {
                    cut.remove(portRef);
                    cut.remove(peer);
                }
                carrier(portRef);
                carrier(peer);
            }
            return now;
        });
    }

    /** Powers off switches; they lose their rules and groups if forgetful. Returns the time. */
    public long off(final Collection<String> names, final boolean forgetful) {
        return loop.ask(() -> {
            final long now = System.nanoTime();
            names.forEach(name -> {
                final var node = bridgeRef(name).node;
                node.stop(forgetful);
                portsOf(node).forEach(portRef -> carrier(cables.get(portRef)));
            });
            return now;
        });
    }

    /** Powers on switches. */
    public SimFabric on(final Collection<String> names) {
        loop.ask(() -> {
            names.stream().map(name -> bridgeRef(name).node).filter(node -> !node.isOn()).forEach(node -> {
                node.start();
                portsOf(node).forEach(portRef -> {
                    carrier(portRef);
                    carrier(cables.get(portRef));
                });
            });
            return null;
        });
        return this;
    }

    /** Closes the connections of switches, which reconnect; returns the time. */
    public long drop(final Collection<String> names) {
        return loop.ask(() -> {
            final long now = System.nanoTime();
            names.forEach(name -> bridgeRef(name).node.drop());
            return now;
        });
    }

    /** Makes a switch refuse that many rules from now on. */
    public void refuse(final String name, final int count) {
        loop.ask(() -> {
            bridge(name).refuse(count);
            return null;
        });
    }

    /** Makes a switch hold back its replies to barriers, or send them again. */
    public void holdBarriers(final String name, final boolean hold) {
        loop.ask(() -> {
            bridge(name).holdBarriers(hold);
            return null;
        });
    }

    /** Messages that these switches have received since {@link #reset}. */
    public MessageCounts counts(final Collection<String> names) {
        return loop.ask(() -> {
            final var sum = new MessageCounts();
            names.stream().flatMap(name -> existingBridge(name).stream()).forEach(each -> sum.add(each.counts()));
            return sum;
        });
    }

    public MessageCounts counts() {
        return counts(switches.keySet());
    }

    /** Resets all counts. */
    public void reset() {
        loop.ask(() -> {
            switches.keySet().stream().flatMap(name -> existingBridge(name).stream())
                .forEach(each -> each.counts().reset());
            carried.clear();
            return null;
        });
    }

    /** Packets of IP since {@link #reset} in each direction of a link that carried any. */
    public Collection<Long> carried() {
        return loop.ask(() -> List.copyOf(carried.values()));
    }

    /** Number of rules in these switches. */
    public int rules(final Collection<String> names) {
        return loop.ask(() -> names.stream().flatMap(name -> existingBridge(name).stream())
            .mapToInt(each -> each.rules().size()).sum());
    }

    public int rules() {
        return rules(switches.keySet());
    }

    /** Number of groups in all switches. */
    public int groups() {
        return loop.ask(() -> switches.keySet().stream().flatMap(name -> existingBridge(name).stream())
            .mapToInt(each -> each.groups().all().size()).sum());
    }

    /** Number of existing bridges. */
    public int bridges() {
        return loop.ask(() -> nodes.values().stream().mapToInt(node -> node.bridges().size()).sum());
    }

    /** Number of nodes that are connected to their manager. */
    public int managed() {
        return loop.ask(() -> (int) nodes.values().stream().filter(SimNode::isManaged).count());
    }

    /** Number of nodes. */
    public int nodes() {
        return nodes.size();
    }

    /** Number of switches that are connected to a controller. */
    public int connected() {
        return loop.ask(() -> (int) switches.keySet().stream().flatMap(name -> existingBridge(name).stream())
            .filter(SimSwitch::isConnected).count());
    }

    private void carrier(final PortRef portRef) {
        if (portRef.node.isOn()) {
            portRef.node.carrier(portRef.device, isUp(portRef));
        }
    }

    private Stream<PortRef> portsOf(final SimNode node) {
        return cables.keySet().stream().filter(portRef -> portRef.node == node);
    }

    /** A port that is given as {@code switch:port}. */
    private PortRef portRef(final String end) {
        final int colon = end.indexOf(':');
        return portRef(end.substring(0, colon), end.substring(colon + 1));
    }

    private PortRef portRef(final String name, final String device) {
        return new PortRef(bridgeRef(name).node, device);
    }

    private BridgeRef bridgeRef(final String name) {
        final var bridgeRef = switches.get(name);
        if (bridgeRef == null) {
            throw new IllegalArgumentException("no switch " + name);
        }
        return bridgeRef;
    }

    private Optional<SimSwitch> existingBridge(final String name) {
        return bridgeRef(name).node.bridge(bridgeRef(name).bridge);
    }

    private SimSwitch bridge(final String name) {
        return existingBridge(name).orElseThrow(() -> new IllegalStateException(name + " has no bridge yet"));
    }

    private static List<JsonObject> list(final JsonObject node, final String name) {
        return node.has(name) ? node.getAsJsonArray(name).asList().stream().map(JsonElement::getAsJsonObject).toList()
            : List.of();
    }

    @Override
    public void close() {
        loop.ask(() -> {
            nodes.values().forEach(node -> node.stop(false));
            return null;
        });
        loop.close();
    }
}
