package org.daqfabric.impl.engine.proof;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * What packets of the controller have shown of each DCM.
 *
 * @param since when the oldest of the newest proofs of its pairs was sent, monotonic, in ns; a DCM is absent if from or
 *     to some ROS no packet has ever arrived, or none since one moved
 * @param missed names of the ROS from or to which packets do not arrive, though there is a path
 * @param old names of the ROS whose newest proof is too old
 * @param silence since when no packet has arrived from or to any, monotonic, in ns; empty if some do, or none could be
 *     sent
 */
public record PairReport(Map<String, Long> since, SortedMap<String, SortedSet<String>> missed,
        SortedMap<String, SortedSet<String>> old, OptionalLong silence) {
    /** Nothing is known. */
    public static final PairReport NONE = new PairReport(Map.of(), Collections.emptySortedMap(),
        Collections.emptySortedMap(), OptionalLong.empty());

    public PairReport {
        since = Map.copyOf(since);
    }

    /** By DCM. A pair without a path is not missed: it is known to have none. */
    public static PairReport of(PairTurn.Known known, Set<Pair> withoutPath) {
        return new PairReport(known.since(),
            byDcm(known.topology(), known.missed().stream().filter(pair -> !withoutPath.contains(pair)).toList()),
            byDcm(known.topology(), known.old()), known.silence());
    }

    private static SortedMap<String, SortedSet<String>> byDcm(Topology topology, List<Pair> pairs) {
        SortedMap<String, SortedSet<String>> byDcm = new TreeMap<>();
        pairs.forEach(pair -> pair.dcms(topology).forEach(dcm ->
            byDcm.computeIfAbsent(dcm, key -> new TreeSet<>()).addAll(pair.ros(topology))));
        return Collections.unmodifiableSortedMap(byDcm);
    }
}
