package org.daqfabric.impl.controller.links;

import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/** Links that lead where a switch out of reach may drop packets. */
final class BlockedLinks {
    private BlockedLinks() {
    }

    /**
     * The links of the planes of leaves and spines that are out of reach, by switch. They must not be taken into use
     * now, for that switch may drop packets that arrive by them.
     */
    static SortedMap<String, Set<PortId>> of(Topology topology, Set<String> outOfReach) {
        SortedMap<String, Set<PortId>> blocked = new TreeMap<>();
        outOfReach.forEach(name -> plane(topology.roles().get(name)).ifPresent(plane ->
            // every link of a plane ends at one of its leaves
            blocked.put(name, topology.leaves(plane).values().stream().flatMap(leaf -> topology.segments(leaf).stream())
                .map(Segment::id).collect(Collectors.toSet()))));
        return blocked;
    }

    private static Optional<Integer> plane(Role role) {
        return switch (role) {
            case Role.OfSpine spine -> Optional.of(spine.plane());
            case Role.OfLeaf leaf -> Optional.of(leaf.plane());
            case null, default -> Optional.empty();
        };
    }
}
