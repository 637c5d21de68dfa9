package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.daqfabric.impl.engine.topology.Endpoint;

/**
 * Algorithm 6.1 of the thesis, with the test of Algorithm 6.2 whether there is a path, kept for comparison: one spine
 * after the other, whatever their loads. Its result depends on the order of both lists; the thesis leaves it open, here
 * it is (pod, rack, name) for sinks and (plane, spine) for spines unless said otherwise.
 */
final class RoundRobin {
    static final Comparator<Endpoint> BY_RACK = Comparator.comparing(Endpoint::pod).thenComparing(Endpoint::edge)
        .thenComparing(Endpoint::name).thenComparing(Endpoint::address);
    static final Comparator<PlaneChoice> BY_PLANE =
        Comparator.comparingInt(PlaneChoice::plane).thenComparingInt(PlaneChoice::spine);

    private final PlacementModel problem;
    private final Comparator<Endpoint> order;
    private final List<PlaneChoice> spines;

    RoundRobin(PlacementModel problem, Comparator<Endpoint> order, Comparator<PlaneChoice> spineOrder) {
        this.problem = problem;
        this.order = order;
        spines = IntStream.range(0, problem.fabric.planes()).boxed()
            .flatMap(plane -> IntStream.range(0, problem.fabric.spines(plane))
                .mapToObj(spine -> new PlaneChoice(plane, spine)))
            .sorted(spineOrder).toList();
    }

    /** Fills in every sink that has nothing sound to keep. */
    PlacementState solve(PreviousPlacement previous, Scope scope) {
        PlacementState loading = new PlacementState(problem);
        Waterfill fill = new Waterfill(loading, true);
        List<Integer> moving = new ArrayList<>();
        for (int sink = 0; sink < problem.sinks.size(); sink++) {
            if (scope == Scope.REPAIR && previous.sound[sink] > 0) {
                loading.put(sink, Arrays.copyOf(previous.ways[sink], previous.sound[sink]));
            } else {
                moving.add(sink);
            }
        }
        moving.sort(Comparator.comparing(problem.sinks::get, order));
        int next = 0;
        for (int sink : moving) {
            PlaneChoices choices = fill.choices(sink, PlaneChoice.NOWHERE);
            for (int tries = 0; tries < spines.size(); tries++) {
                PlaneChoice stage = spines.get(next++ % spines.size());
                if (choices.has(stage)) {
                    loading.put(sink, fill.append(sink, PlaneChoice.NOWHERE, stage));
                    break;
                }
            }
        }
        for (int sink = 0; sink < problem.sinks.size(); sink++) {
            if (!fill.choices(sink, loading.ways[sink]).isEmpty()) {
                loading.put(sink, fill.complete(sink, loading.take(sink), previous.first(sink)));
            }
        }
        return loading;
    }
}
