package org.daqfabric.it;

import com.google.gson.JsonObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cables of a fabric, and which hosts they connect, independent of any controller. */
final class Wiring {
    /** A cable, named by its first end, {@code switch:port}. */
    record Cable(String switchName, String port, String peer) {
        String name() {
            return switchName + ":" + port;
        }

        boolean isOf(final String name) {
            return switchName.equals(name) || peer.equals(name);
        }
    }

    private final List<Cable> cables;
    private final Collection<FabricFile.Host> hosts;
    private final Map<String, Integer> planes = new HashMap<>();

    Wiring(final FabricFile file) {
        hosts = file.hosts().values();
        cables = FabricFile.entries(file.fabric(), "link").stream().map(each -> new Cable(text(each, "switch"),
            text(each, "port"), text(each, "peer-switch"))).toList();
        for (var plane : FabricFile.entries(file.fabric(), "plane")) {
            for (var list : List.of("spine", "leaf")) {
                FabricFile.entries(plane, list).forEach(each -> planes.put(text(each, "switch"),
                    plane.get("id").getAsInt()));
            }
        }
    }

    private static String text(final JsonObject entry, final String leaf) {
        return entry.get(leaf).getAsString();
    }

    List<Cable> cables() {
        return cables;
    }

    /** Pairs of a ROS and a DCM connected within one plane: packets do not pass through other edge switches. */
    Set<Set<String>> pairs(final Collection<Cable> usable) {
        final var pairs = new HashSet<Set<String>>();
        for (var ros : hosts) {
            for (var dcm : hosts) {
                if (!ros.isDcm() && dcm.isDcm()
                        && planes.values().stream().distinct().anyMatch(plane -> joins(plane, ros, dcm, usable))) {
                    pairs.add(Set.of(ros.name(), dcm.name()));
                }
            }
        }
        return pairs;
    }

    private boolean joins(final int plane, final FabricFile.Host from, final FabricFile.Host to,
            final Collection<Cable> usable) {
        final var reachable = new HashSet<>(Set.of(from.edge()));
        boolean changed = true;
        while (changed) {
            changed = false;
            for (var cable : usable) {
                final boolean here = reachable.contains(cable.switchName());
                final boolean there = reachable.contains(cable.peer());
                final var next = here ? cable.peer() : cable.switchName();
                if (here != there && (next.equals(to.edge()) || planes.getOrDefault(next, 0) == plane)) {
                    changed |= reachable.add(next);
                }
            }
        }
        return reachable.contains(to.edge());
    }
}
