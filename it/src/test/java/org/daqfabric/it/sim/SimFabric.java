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
 * The switches of a fabric file, simulated and cabled as it says. Its methods may be called from any thread; they return
 * when what they say has been done, and times are those of {@link System#nanoTime()}.
 */
public final class SimFabric implements AutoCloseable {
    private final Map<String, SimNode> nodes = new LinkedHashMap<>();
    /** Node and bridge of each switch. */
    private final Map<String, Place> switches = new LinkedHashMap<>();
    /** The other end of each cable, both ways. */
    private final Map<End, End> cables = new HashMap<>();
    private final Set<End> hosts = new HashSet<>();
    private final Set<End> cut = new HashSet<>();
    private final Loop loop = new Loop();

    private record Place(SimNode node, String bridge) {
    }

    private record End(SimNode node, String device) {
    }

    /**
     * Makes them, all off.
     *
     * @param fabric as in a fabric file
     * @param manager where the controller listens for OVSDB
     * @param knowsRings whether the switches have daqrings
     */
    public SimFabric(final JsonObject fabric, final InetSocketAddress manager, final boolean knowsRings) {
        for (var each : list(fabric, "switch")) {
            final var name = each.get("name").getAsString();
            final var systemId = each.has("system-id") ? each.get("system-id").getAsString() : name;
            switches.put(name, new Place(nodes.computeIfAbsent(systemId, id ->
                new SimNode(loop, id, manager, knowsRings, new Cables())),
                each.has("bridge") ? each.get("bridge").getAsString() : "br-daq"));
        }
        for (var each : list(fabric, "link")) {
            final var end = end(each.get("switch").getAsString(), each.get("port").getAsString());
            final var peer = end(each.get("peer-switch").getAsString(), each.get("peer-port").getAsString());
            cables.put(end, peer);
            cables.put(peer, end);
        }
        for (var pod : list(fabric, "pod")) {
            for (var rack : list(pod, "hlt-rack")) {
                list(rack, "dcm").stream().filter(dcm -> dcm.has("port")).forEach(dcm ->
                    hosts.add(end(rack.get("switch").getAsString(), dcm.get("port").getAsString())));
            }
        }
    }

    private final class Cables implements SimNode.Surroundings {
        @Override
        public Optional<Boolean> carrier(final SimNode node, final String device) {
            final var end = new End(node, device);
            final var peer = cables.get(end);
            return peer != null ? Optional.of(isUp(end)) : hosts.contains(end) ? Optional.of(true) : Optional.empty();
        }

        @Override
        public void sent(final SimNode node, final String device, final byte[] frame) {
            final var peer = cables.get(new End(node, device));
            if (peer != null && isUp(peer)) {
                peer.node.arrive(peer.device, frame);
            }
        }
    }

    private boolean isUp(final End end) {
        final var peer = cables.get(end);
        return !cut.contains(end) && !cut.contains(peer) && end.node.isOn() && peer.node.isOn();
    }

    /** Powers all of them on. */
    public SimFabric start() {
        return on(switches.keySet());
    }

    public Collection<String> switches() {
        return switches.keySet();
    }

    /** Cuts links, each given by one end as {@code switch:port}; returns when it did. */
    public long cut(final Collection<String> links) {
        return cable(links, true);
    }

    /** Restores links, each given by one end as {@code switch:port}; returns when it did. */
    public long restore(final Collection<String> links) {
        return cable(links, false);
    }

    private long cable(final Collection<String> links, final boolean cutting) {
        return loop.ask(() -> {
            final long now = System.nanoTime();
            for (var link : links) {
                final int colon = link.indexOf(':');
                final var end = end(link.substring(0, colon), link.substring(colon + 1));
                final var peer = cables.get(end);
                if (peer == null) {
                    throw new IllegalArgumentException("no link " + link);
                }
                if (cutting) {
                    cut.add(end);
                } else {
                    cut.remove(end);
                    cut.remove(peer);
                }
                carrier(end);
                carrier(peer);
            }
            return now;
        });
    }

    /** Takes the power from switches; forgetful ones lose their rules and groups. Returns when it did. */
    public long off(final Collection<String> names, final boolean forgetful) {
        return loop.ask(() -> {
            final long now = System.nanoTime();
            names.forEach(name -> {
                final var node = place(name).node;
                node.stop(forgetful);
                ends(node).forEach(end -> carrier(cables.get(end)));
            });
            return now;
        });
    }

    /** Gives power to switches. */
    public SimFabric on(final Collection<String> names) {
        loop.ask(() -> {
            names.stream().map(name -> place(name).node).filter(node -> !node.isOn()).forEach(node -> {
                node.start();
                ends(node).forEach(end -> {
                    carrier(end);
                    carrier(cables.get(end));
                });
            });
            return null;
        });
        return this;
    }

    /** Ends the connections of switches, which make new ones; returns when it did. */
    public long drop(final Collection<String> names) {
        return loop.ask(() -> {
            final long now = System.nanoTime();
            names.forEach(name -> place(name).node.drop());
            return now;
        });
    }

    /** Has a switch refuse that many rules from now on. */
    public void refuse(final String name, final int count) {
        loop.ask(() -> {
            bridge(name).refuse(count);
            return null;
        });
    }

    /** Has a switch stop to answer barriers, or answer them again. */
    public void holdBarriers(final String name, final boolean hold) {
        loop.ask(() -> {
            bridge(name).holdBarriers(hold);
            return null;
        });
    }

    /** What came to these switches since {@link #reset}. */
    public Counts counts(final Collection<String> names) {
        return loop.ask(() -> {
            final var sum = new Counts();
            names.stream().flatMap(name -> made(name).stream()).forEach(each -> sum.add(each.counts()));
            return sum;
        });
    }

    public Counts counts() {
        return counts(switches.keySet());
    }

    /** Counts from nothing again. */
    public void reset() {
        loop.ask(() -> {
            switches.keySet().stream().flatMap(name -> made(name).stream()).forEach(each -> each.counts().reset());
            return null;
        });
    }

    /** How many rules these switches hold. */
    public int rules(final Collection<String> names) {
        return loop.ask(() -> names.stream().flatMap(name -> made(name).stream())
            .mapToInt(each -> each.rules().size()).sum());
    }

    public int rules() {
        return rules(switches.keySet());
    }

    /** How many groups they hold. */
    public int groups() {
        return loop.ask(() -> switches.keySet().stream().flatMap(name -> made(name).stream())
            .mapToInt(each -> each.groups().all().size()).sum());
    }

    /** How many bridges there are. */
    public int bridges() {
        return loop.ask(() -> nodes.values().stream().mapToInt(node -> node.bridges().size()).sum());
    }

    /** How many nodes have a connection to their manager. */
    public int managed() {
        return loop.ask(() -> (int) nodes.values().stream().filter(SimNode::isManaged).count());
    }

    /** How many nodes there are. */
    public int nodes() {
        return nodes.size();
    }

    /** How many switches have a connection to a controller. */
    public int connected() {
        return loop.ask(() -> (int) switches.keySet().stream().flatMap(name -> made(name).stream())
            .filter(SimSwitch::isConnected).count());
    }

    private void carrier(final End end) {
        if (end.node.isOn()) {
            end.node.carrier(end.device, isUp(end));
        }
    }

    private Stream<End> ends(final SimNode node) {
        return cables.keySet().stream().filter(end -> end.node == node);
    }

    private End end(final String name, final String device) {
        return new End(place(name).node, device);
    }

    private Place place(final String name) {
        final var place = switches.get(name);
        if (place == null) {
            throw new IllegalArgumentException("no switch " + name);
        }
        return place;
    }

    private Optional<SimSwitch> made(final String name) {
        return place(name).node.bridge(place(name).bridge);
    }

    private SimSwitch bridge(final String name) {
        return made(name).orElseThrow(() -> new IllegalStateException(name + " has no bridge yet"));
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
