package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Tries every stage for every sink: the lowest highest load that whole sinks allow, for problems small enough. */
final class Exhaustive {
    private final PlacementState loading;
    private final Waterfill fill;
    private double lowest;
    private long nodes;

    private Exhaustive(PlacementModel problem, double known, long nodes) {
        loading = new PlacementState(problem);
        fill = new Waterfill(loading, false);
        lowest = known;
        this.nodes = nodes;
    }

    /** Searches below a known highest load; empty if there are too many combinations. */
    static OptionalDouble lowest(PlacementModel problem, double known, long nodes) {
        Exhaustive search = new Exhaustive(problem, known, nodes);
        search.place(0, -1);
        return search.nodes > 0 ? OptionalDouble.of(search.lowest) : OptionalDouble.empty();
    }

    private void place(int sink, int lastChoice) {
        PlacementModel problem = loading.problem;
        if (sink == problem.sinks.size()) {
            lowest = loading.highest();
            return;
        }
        List<PlaneChoice[]> ways = new ArrayList<>();
        for (PlaneChoice stage : fill.choices(sink, PlaneChoice.NOWHERE).stages) {
            ways.add(fill.complete(sink, fill.append(sink, PlaneChoice.NOWHERE, stage), null));
        }
        if (ways.isEmpty()) {
            place(sink + 1, -1);
        }
        boolean alike = sink > 0 && problem.edge[sink] == problem.edge[sink - 1]
            && problem.weight[sink] == problem.weight[sink - 1];
        for (int choice = alike ? Math.max(0, lastChoice) : 0; choice < ways.size() && nodes-- > 0; choice++) {
            loading.put(sink, ways.get(choice));
            if (RelativeLoad.below(loading.highest(), lowest)) {
                place(sink + 1, choice);
            }
            loading.take(sink);
        }
    }
}
