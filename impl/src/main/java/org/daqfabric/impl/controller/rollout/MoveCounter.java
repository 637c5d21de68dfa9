package org.daqfabric.impl.controller.rollout;

import com.google.common.collect.Sets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.plan.Effect.Move;
import org.daqfabric.api.plan.Effect.Place;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Counts how often each DCM has moved: changed its primary plane or its spine in that plane, for packets from any pod.
 */
public final class MoveCounter {
    private final Map<Address, Long> counts = new HashMap<>();

    /** Number of DCMs that move between two placements. */
    public static int countMoves(Topology topology, Placement before, Placement after) {
        return (int) after.routes().keySet().stream()
            .filter(address -> topology.addresses().get(address).isDcm())
            .filter(address -> moved(address, before, after)).count();
    }

    /** The DCMs that move between two placements, ordered by name; only those that both fabrics have. */
    public static List<Move> listMoves(Topology topology, Placement before, Topology next, Placement after) {
        return after.routes().keySet().stream()
            .filter(address -> next.addresses().get(address).isDcm() && topology.endpoints().containsKey(address))
            .filter(address -> moved(address, before, after))
            .map(address -> new Move(next.endpoints().get(address).name(), place(before.routes().get(address)),
                place(after.routes().get(address))))
            .sorted(Comparator.comparing(Move::dcm)).toList();
    }

    private static Place place(Route route) {
        int plane = route.planes().get(0);
        int spine = route.spines().get(plane).spine();
        return new Place(plane, spine == 0 ? OptionalInt.empty() : OptionalInt.of(spine));
    }

    /** Adds the moves between two placements; an address that is no longer placed is forgotten. */
    public void count(Placement before, Placement after) {
        after.routes().keySet().stream().filter(address -> moved(address, before, after))
            .forEach(address -> counts.merge(address, 1L, Long::sum));
        counts.keySet().retainAll(after.routes().keySet());
    }

    /** How often an address has moved. */
    public long movesOf(Address address) {
        return counts.getOrDefault(address, 0L);
    }

    private static boolean moved(Address address, Placement before, Placement after) {
        Route old = before.routes().get(address);
        Route now = after.routes().get(address);
        // what a repair does not change is the same object
        return old != null && old != now && (moved(old, now)
            || Sets.union(old.fromPods().keySet(), now.fromPods().keySet()).stream()
                .anyMatch(pod -> moved(old.from(pod), now.from(pod))));
    }

    private static boolean moved(Route old, Route now) {
        if (old.planes().isEmpty() || now.planes().isEmpty()) {
            return false;
        }
        int plane = now.planes().get(0);
        return plane != old.planes().get(0)
            || now.spines().get(plane).spine() != old.spines().get(plane).spine();
    }
}
