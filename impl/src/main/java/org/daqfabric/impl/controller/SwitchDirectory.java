package org.daqfabric.impl.controller;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.daqfabric.api.placement.Identities;
import org.daqfabric.api.placement.SwitchIdentity;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.identity.IdentityAssignment;

/** Finds the fabric and switch that an event of a node, bridge or datapath concerns. Not thread-safe. */
final class SwitchDirectory {
    private final Map<Long, Owner> byDatapath = new HashMap<>();
    /** By system-id of the node and name of the bridge. */
    private final Map<String, Map<String, Owner>> byNode = new HashMap<>();
    /** What the loops know of their switches, by fabric. */
    private final Map<String, SortedMap<String, SwitchIdentity>> identified = new HashMap<>();
    /** The bridges in each fabric's configuration, by fabric and system-id. */
    private final Map<String, Map<String, Set<String>>> configured = new HashMap<>();
    /** Fabric and name by datapath-id, also of switches that left: they report until their bridges are removed. */
    private final Map<Long, Label> labels = new HashMap<>();

    /** A switch of a fabric that is active here. */
    record Owner(FabricLoop loop, String switchName) {
    }

    private record Label(String fabric, String switchName) {
    }

    /** A fabric has a new configuration; until its loop has identified its switches their reports go nowhere. */
    void configure(FabricSpec spec) {
        Map<String, Set<String>> bridges = new HashMap<>();
        for (Switch each : spec.switches()) {
            bridges.computeIfAbsent(each.systemId(), id -> new HashSet<>()).add(each.bridge());
        }
        configured.put(spec.name(), bridges);
        if (!identified.containsKey(spec.name())) {
            label(spec.name(), IdentityAssignment.of(spec, Identities.NONE).switches());
        }
    }

    private void label(String fabric, SortedMap<String, SwitchIdentity> switches) {
        switches.forEach((name, identity) -> labels.put(identity.datapathId(), new Label(fabric, name)));
    }

    /**
     * From now on these switches of a fabric report to a loop, and no others.
     *
     * @return names of the switches that did not report to this loop, or on another bridge
     */
    Set<String> identify(String fabric, FabricLoop loop, SortedMap<String, SwitchIdentity> switches) {
        Set<String> fresh = new TreeSet<>();
        switches.forEach((name, identity) -> {
            Owner owner = byDatapath.get(identity.datapathId());
            if (owner == null || owner.loop != loop || !owner.switchName.equals(name)) {
                fresh.add(name);
            }
        });
        withdraw(fabric);
        identified.put(fabric, switches);
        switches.forEach((name, identity) -> {
            Owner owner = new Owner(loop, name);
            byDatapath.put(identity.datapathId(), owner);
            byNode.computeIfAbsent(identity.systemId(), id -> new HashMap<>()).put(identity.bridge(), owner);
        });
        label(fabric, switches);
        return fresh;
    }

    private void withdraw(String fabric) {
        SortedMap<String, SwitchIdentity> before = identified.remove(fabric);
        if (before == null) {
            return;
        }
        for (SwitchIdentity identity : before.values()) {
            byDatapath.remove(identity.datapathId());
            Map<String, Owner> ofNode = byNode.getOrDefault(identity.systemId(), new HashMap<>());
            // another fabric may have taken the bridge over by now
            ofNode.computeIfPresent(identity.bridge(),
                (name, owner) -> owner.loop.fabric().equals(fabric) ? null : owner);
            if (ofNode.isEmpty()) {
                byNode.remove(identity.systemId());
            }
        }
    }

    /**
     * A fabric is no longer configured.
     *
     * @return the datapath-ids that its switches had
     */
    Set<Long> remove(String fabric) {
        Set<Long> left = new HashSet<>();
        identified.getOrDefault(fabric, Collections.emptySortedMap()).values()
            .forEach(identity -> left.add(identity.datapathId()));
        withdraw(fabric);
        configured.remove(fabric);
        labels.values().removeIf(label -> label.fabric.equals(fabric));
        return left;
    }

    void clear() {
        byDatapath.clear();
        byNode.clear();
        identified.clear();
        configured.clear();
        labels.clear();
    }

    /** Whether some switch is configured to run on a node, or still does. */
    boolean isConfigured(String systemId) {
        return byNode.containsKey(systemId)
            || configured.values().stream().anyMatch(each -> each.containsKey(systemId));
    }

    /** Whether a switch of a fabric has that datapath-id, or had until its bridge is removed. */
    boolean knows(long datapathId) {
        return labels.containsKey(datapathId);
    }

    /** The fabric that is configured to have a bridge. */
    Optional<String> fabricOf(String systemId, String bridge) {
        return configured.entrySet().stream()
            .filter(each -> each.getValue().getOrDefault(systemId, Set.of()).contains(bridge))
            .map(Map.Entry::getKey).findFirst();
    }

    /** The switches on a node whose fabric is active here. */
    Collection<Owner> onNode(String systemId) {
        return List.copyOf(byNode.getOrDefault(systemId, Map.of()).values());
    }

    /** The switch of a bridge, if its fabric is active here. */
    Optional<Owner> ofBridge(String systemId, String bridge) {
        return Optional.ofNullable(byNode.getOrDefault(systemId, Map.of()).get(bridge));
    }

    /** The switch of a datapath, if its fabric is active here. */
    Optional<Owner> ofDatapath(long datapathId) {
        return Optional.ofNullable(byDatapath.get(datapathId));
    }

    /**
     * The name of a datapath in a fabric: its own switches by name, others with their fabric, unknown ones in
     * hexadecimal.
     */
    String nameFor(String fabric, long datapathId) {
        Label label = labels.get(datapathId);
        if (label == null) {
            return "%016x".formatted(datapathId);
        }
        return label.fabric.equals(fabric) ? label.switchName : label.fabric + "/" + label.switchName;
    }
}
