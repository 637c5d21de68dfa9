package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/** Takes back moves that nothing is gained by: exchanges ways between sinks that are alike, or moves a sink back. */
final class MoveReduction {
    private final PlacementState loading;
    private final PlacementModel problem;
    private final PreviousPlacement previous;
    private final int[] fixed;

    private record Alike(int edge, double weight) {
    }

    MoveReduction(PlacementState loading, PreviousPlacement previous, int[] fixed) {
        this.loading = loading;
        this.previous = previous;
        this.fixed = fixed;
        problem = loading.problem;
    }

    void run() {
        exchange();
        double highest = loading.highest();
        for (int sink = 0; sink < problem.sinks.size(); sink++) {
            if (fixed[sink] == 0 && returns(sink)) {
                PlaneChoice[] way = loading.take(sink);
                PlaneChoice[] old = previous.ways[sink];
                boolean free = !RelativeLoad.below(highest, loading.probe(sink, old, 0)[0]);
                loading.put(sink, free ? old : way);
            }
        }
    }

    /** Whether a sink moved from a way that still is whole. */
    private boolean returns(int sink) {
        PlaneChoice[] way = loading.ways[sink];
        PlaneChoice[] old = previous.ways[sink];
        if (old.length == 0 || way.length == 0 || way[0].sameSpine(old[0])
            || previous.sound[sink] < old.length) {
            return false;
        }
        for (int group = 0; group < problem.groups; group++) {
            int pod = problem.pod[sink];
            if (problem.stageOf(group, pod, way) >= 0 && problem.stageOf(group, pod, old) < 0) {
                return false;
            }
        }
        return true;
    }

    private void exchange() {
        Map<Alike, List<Integer>> alike = new LinkedHashMap<>();
        for (int sink = 0; sink < problem.sinks.size(); sink++) {
            if (fixed[sink] == 0) {
                alike.computeIfAbsent(new Alike(problem.edge[sink], problem.weight[sink]), kind -> new ArrayList<>())
                    .add(sink);
            }
        }
        for (List<Integer> sinks : alike.values()) {
            if (sinks.stream().anyMatch(this::moved)) {
                exchange(sinks);
            }
        }
    }

    private boolean moved(int sink) {
        PlaneChoice before = previous.first(sink);
        PlaneChoice[] way = loading.ways[sink];
        return before != null && way.length > 0 && !way[0].sameSpine(before);
    }

    /** Hands the same ways out again: to whom had the spine before, then to whom was in the plane, then the rest. */
    private void exchange(List<Integer> sinks) {
        List<PlaneChoice[]> ways = new ArrayList<>();
        List<Integer> waiting = new ArrayList<>(sinks);
        sinks.forEach(sink -> ways.add(loading.take(sink)));
        hand(waiting, ways, (one, other) -> one.sameSpine(other));
        hand(waiting, ways, (one, other) -> one.plane() == other.plane());
        for (int i = 0; i < waiting.size(); i++) {
            loading.put(waiting.get(i), ways.get(i));
        }
    }

    private void hand(List<Integer> waiting, List<PlaneChoice[]> ways, BiPredicate<PlaneChoice, PlaneChoice> suits) {
        waiting.removeIf(sink -> {
            PlaneChoice before = previous.first(sink);
            for (int i = 0; before != null && i < ways.size(); i++) {
                if (ways.get(i).length > 0 && suits.test(ways.get(i)[0], before)) {
                    loading.put(sink, ways.remove(i));
                    return true;
                }
            }
            return false;
        });
    }
}
