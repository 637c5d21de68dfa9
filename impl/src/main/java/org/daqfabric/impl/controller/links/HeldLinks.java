package org.daqfabric.impl.controller.links;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Links that are up and must not be used.
 *
 * @param waiting links that were not in use
 * @param avoided links that were in use, and lead to a switch out of reach that does not know of a link used at once
 * @param usedAtOnce links that would have to wait, but without which some switch has no path; they wait again as soon
 *     as all have another path
 */
record HeldLinks(Set<PortId> waiting, Set<PortId> avoided, Set<PortId> usedAtOnce) {
    static final HeldLinks NONE = new HeldLinks(Set.of(), Set.of(), Set.of());

    /**
     * Decides which links are held back, but for those without which some switch has no path.
     *
     * @param candidates links that are up and would have to wait: they are not in use, or are because they were needed
     * @param doubted those of them that lead to a switch which may hold no rules: they are needed only where no other
     *     candidate helps
     * @param unusable links that cannot be used in any case
     * @param blocked the links of the plane of each leaf and spine that is out of reach, by switch
     */
    HeldLinks next(Topology topology, Set<PortId> candidates, Set<PortId> doubted, Set<PortId> unusable,
            Map<String, Set<PortId>> blocked) {
        // those that come first are the first to wait; what is in use is not exchanged for what helps as much
        List<PortId> ordered = candidates.stream().sorted(Comparator.comparing((PortId link) -> !doubted.contains(link))
            .thenComparing(link -> blocked.values().stream().noneMatch(plane -> plane.contains(link)))
            .thenComparing(usedAtOnce::contains).thenComparing(Comparator.naturalOrder())).toList();
        Set<PortId> needed = needed(topology, ordered, unusable);
        Set<PortId> left = new TreeSet<>(candidates);
        left.removeAll(needed);
        Set<PortId> toAvoid = new TreeSet<>();
        blocked.forEach((switchOutOfReach, plane) -> {
            // a link used at once leads where that switch may drop packets: all that have another path take that
            boolean isUsedAtOnce = !Collections.disjoint(plane, needed);
            topology.segments(switchOutOfReach).stream().map(Segment::id)
                .filter(link -> isUsedAtOnce || avoided.contains(link)).forEach(toAvoid::add);
        });
        toAvoid.removeAll(unusable);
        toAvoid.removeAll(needed);
        Set<PortId> without = new HashSet<>(unusable);
        without.addAll(left);
        toAvoid.removeAll(needed(topology, toAvoid, without));
        return new HeldLinks(left, toAvoid, needed);
    }

    /** All that are held back. */
    Set<PortId> all() {
        Set<PortId> all = new TreeSet<>(waiting);
        all.addAll(avoided);
        return all;
    }

    /** Those of some links that must not be held back because some switch can be reached by no other. */
    static Set<PortId> needed(Topology topology, Collection<PortId> held, Set<PortId> down) {
        Set<PortId> needed = new TreeSet<>();
        Set<PortId> without = new HashSet<>(down);
        without.addAll(held);
        int possible = held.isEmpty() ? 0 : joinedPairs(topology, down);
        if (held.isEmpty() || joinedPairs(topology, without) == possible) {
            return needed;
        }
        without = new HashSet<>(down);
        for (PortId link : held) {
            without.add(link);
            if (joinedPairs(topology, without) < possible) {
                without.remove(link);
                needed.add(link);
            }
        }
        return needed;
    }

    private static int joinedPairs(Topology topology, Set<PortId> down) {
        return new UsableFabric(topology, new UnusableLinks(down)).connectedPairs();
    }
}
