package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.List;

/**
 * Goes some of the way from one placement to a better one: as many sinks as may move, those first by which the loads
 * become most even. No move makes the highest load higher.
 */
final class LimitedMoves {
    private final PlacementState loading;
    private final PlacementState target;
    private final List<Integer> movable = new ArrayList<>();

    /**
     * Prepares moves.
     *
     * @param loading what is moved
     * @param target where it goes
     */
    LimitedMoves(PlacementState loading, PlacementState target) {
        this.loading = loading;
        this.target = target;
        for (int sink = 0; sink < loading.ways.length; sink++) {
            PlaneChoice[] from = loading.ways[sink];
            PlaneChoice[] to = target.ways[sink];
            if (from.length > 0 && to.length > 0 && !from[0].sameSpine(to[0])) {
                movable.add(sink);
            }
        }
    }

    /** Number of sinks that would move without a limit. */
    int moves() {
        return movable.size();
    }

    /** Moves so many at most. */
    void run(int most) {
        for (int moved = 0; moved < most; moved++) {
            int best = best();
            if (best < 0) {
                return;
            }
            movable.remove((Integer) best);
            loading.take(best);
            loading.put(best, target.ways[best]);
        }
    }

    /** The sink whose move gains most, the heaviest and first by name of equals; -1 if no move gains. */
    private int best() {
        double highest = loading.highest();
        double most = 0;
        int best = -1;
        for (int sink : movable) {
            PlaneChoice[] old = loading.ways[sink];
            double without = -loading.unevenness(sink, old, -1);
            loading.take(sink);
            boolean higher = RelativeLoad.below(highest, loading.probe(sink, target.ways[sink], 0)[0]);
            double with = loading.unevenness(sink, target.ways[sink], 1);
            loading.put(sink, old);
            if (!higher && RelativeLoad.below(with, without) && RelativeLoad.below(most, without - with)) {
                most = without - with;
                best = sink;
            }
        }
        return best;
    }
}
