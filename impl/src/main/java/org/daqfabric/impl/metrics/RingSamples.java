package org.daqfabric.impl.metrics;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.RingState;

/** Samples of daqrings: summed per switch and, unless there are too many, for each daqring. */
final class RingSamples {
    /** With more daqrings than this in a fabric there are only the sums per switch. */
    static final int MAX_RINGS = 1000;

    private final Map<String, MonotonicTotal> enqueued = new HashMap<>();
    private final Map<String, MonotonicTotal> dropped = new HashMap<>();
    private final Map<String, MonotonicTotal> episodes = new HashMap<>();

    void collect(FabricState state, Samples samples) {
        final String fabric = state.fabric();
        Map<String, List<RingState>> bySwitch = state.daqrings().stream()
            .collect(Collectors.groupingBy(RingState::switchName, TreeMap::new, Collectors.toList()));
        enqueued.keySet().retainAll(bySwitch.keySet());
        dropped.keySet().retainAll(bySwitch.keySet());
        episodes.keySet().retainAll(bySwitch.keySet());
        bySwitch.forEach((name, rings) -> {
            samples.add(Family.SWITCH_DAQRING_ENQUEUED, sum(enqueued, name, rings, RingState::enqueued), fabric, name);
            samples.add(Family.SWITCH_DAQRING_DROPPED, sum(dropped, name, rings, RingState::dropped), fabric, name);
            samples.add(Family.SWITCH_DAQRING_DROP_EPISODES, sum(episodes, name, rings, RingState::dropEpisodes),
                fabric, name);
            samples.add(Family.SWITCH_DAQRING_OCCUPANCY,
                rings.stream().mapToLong(RingState::occupancy).max().orElse(0), fabric, name);
        });
        if (state.daqrings().size() <= MAX_RINGS) {
            state.daqrings().forEach(ring -> single(fabric, ring, samples));
        }
    }

    private static long sum(Map<String, MonotonicTotal> totals, String switchName, List<RingState> rings,
            ToLongFunction<RingState> count) {
        return totals.computeIfAbsent(switchName, name -> new MonotonicTotal())
            .update(rings.stream().collect(Collectors.toMap(RingState::dcm, count::applyAsLong)));
    }

    private static void single(String fabric, RingState ring, Samples samples) {
        String[] labels = { fabric, ring.switchName(), ring.dcm() };
        samples.add(Family.DAQRING_ENQUEUED, ring.enqueued(), labels);
        samples.add(Family.DAQRING_DROPPED, ring.dropped(), labels);
        samples.add(Family.DAQRING_THROTTLED, ring.throttledPolls(), labels);
        samples.add(Family.DAQRING_OCCUPANCY, ring.occupancy(), labels);
        samples.add(Family.DAQRING_HIGHEST_OCCUPANCY, ring.highestOccupancy(), labels);
    }
}
