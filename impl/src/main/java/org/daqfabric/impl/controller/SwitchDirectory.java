package org.daqfabric.impl.controller;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.compile.DatapathIds;
import org.eclipse.jdt.annotation.Nullable;

/** Finds the fabric and switch that an event of a node, bridge or datapath concerns. Not thread-safe. */
final class SwitchDirectory {
    private final Map<Long, Owner> byDatapath = new HashMap<>();
    /** Includes switches that left their fabric's configuration: they report until their bridges are removed. */
    private final Map<Long, Owner> named = new HashMap<>();
    /** By system-id of the node and name of the bridge. */
    private final Map<String, Map<String, Owner>> byNode = new HashMap<>();

    /**
     * A switch of a fabric.
     *
     * @param loop null while another member of the cluster is active
     */
    record Owner(String fabric, @Nullable FabricLoop loop, String switchName) {
        boolean isActive() {
            return loop != null;
        }
    }

    Owner add(String fabric, @Nullable FabricLoop loop, Switch description) {
        Owner owner = new Owner(fabric, loop, description.name());
        long datapathId = DatapathIds.of(fabric, description.name());
        byDatapath.put(datapathId, owner);
        named.put(datapathId, owner);
        byNode.computeIfAbsent(description.systemId(), id -> new HashMap<>()).put(description.bridge(), owner);
        return owner;
    }

    /** Removes the switches of a configuration that is replaced or removed. */
    void remove(FabricSpec spec) {
        for (Switch description : spec.switches()) {
            byDatapath.remove(DatapathIds.of(spec.name(), description.name()));
            Map<String, Owner> ofNode = byNode.getOrDefault(description.systemId(), new HashMap<>());
            // another fabric may have taken the bridge over by now
            ofNode.computeIfPresent(description.bridge(),
                (name, owner) -> owner.fabric.equals(spec.name()) ? null : owner);
            if (ofNode.isEmpty()) {
                byNode.remove(description.systemId());
            }
        }
    }

    /** Whether a switch of that name was another bridge before. */
    static boolean isMoved(FabricSpec before, Switch now) {
        return before.switches().stream().anyMatch(then -> then.name().equals(now.name())
            && !(then.systemId().equals(now.systemId()) && then.bridge().equals(now.bridge())));
    }

    /** Forgets the names of a fabric's switches, also of those that left its configuration. */
    void forgetNames(String fabric) {
        named.values().removeIf(owner -> owner.fabric.equals(fabric));
    }

    void forgetAllNames() {
        named.clear();
    }

    /** Whether some switch is configured to run on a node. */
    boolean isConfigured(String systemId) {
        return byNode.containsKey(systemId);
    }

    /** The fabric that is configured to have a bridge. */
    Optional<String> fabricOf(String systemId, String bridge) {
        return Optional.ofNullable(byNode.getOrDefault(systemId, Map.of()).get(bridge)).map(Owner::fabric);
    }

    /** The switches on a node whose fabric is active here. */
    Collection<Owner> onNode(String systemId) {
        return byNode.getOrDefault(systemId, Map.of()).values().stream().filter(Owner::isActive).toList();
    }

    /** The switch of a bridge, if its fabric is active here. */
    Optional<Owner> ofBridge(String systemId, String bridge) {
        return Optional.ofNullable(byNode.getOrDefault(systemId, Map.of()).get(bridge)).filter(Owner::isActive);
    }

    /** The switch of a datapath, if its fabric is active here. */
    Optional<Owner> ofDatapath(long datapathId) {
        return Optional.ofNullable(byDatapath.get(datapathId)).filter(Owner::isActive);
    }

    /**
     * The name of a datapath in a fabric: its own switches by name, others with their fabric, unknown ones in
     * hexadecimal.
     */
    String nameFor(FabricLoop loop, long datapathId) {
        Owner owner = named.get(datapathId);
        if (owner == null) {
            return "%016x".formatted(datapathId);
        }
        return owner.loop == loop ? owner.switchName : owner.fabric + "/" + owner.switchName;
    }
}
