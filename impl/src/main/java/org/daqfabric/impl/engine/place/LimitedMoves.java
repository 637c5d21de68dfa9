package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.List;

/**
 * Turns one placement into a better one as far as a number of moves allows. The move that makes loads most even comes
 * first. No move raises the highest load.
 */
final class LimitedMoves {
    private final PlacementState state;
    private final PlacementState target;
    private final List<Integer> movable = new ArrayList<>();

    /**
     * Prepares moves.
     *
     * @param state the placement that is changed
     * @param target the better one
     */
    LimitedMoves(PlacementState state, PlacementState target) {
        this.state = state;
        this.target = target;
        for (int address = 0; address < state.routes.length; address++) {
            PlaneChoice[] from = state.routes[address];
            PlaneChoice[] to = target.routes[address];
            if (from.length > 0 && to.length > 0 && !from[0].sameSpine(to[0])) {
                movable.add(address);
            }
        }
    }

    /** Number of addresses that would move without a limit. */
    int moves() {
        return movable.size();
    }

    void run(int maxMoves) {
        for (int moved = 0; moved < maxMoves; moved++) {
            int best = bestMove();
            if (best < 0) {
                return;
            }
            movable.remove((Integer) best);
            state.unassign(best);
            state.assign(best, target.routes[best]);
        }
    }

    /** The address whose move makes loads most even, of equals the heaviest, then by name; -1 if none does. */
    private int bestMove() {
        double highest = state.highestLoad();
        double mostGain = 0;
        int best = -1;
        for (int address : movable) {
            PlaneChoice[] old = state.routes[address];
            double fall = -state.squaredLoadChange(address, old, -1);
            state.unassign(address);
            boolean higher =
                RelativeLoad.below(highest, state.loadsIfAssigned(address, target.routes[address], 0)[0]);
            double rise = state.squaredLoadChange(address, target.routes[address], 1);
            state.assign(address, old);
            if (!higher && RelativeLoad.below(rise, fall) && RelativeLoad.below(mostGain, fall - rise)) {
                mostGain = fall - rise;
                best = address;
            }
        }
        return best;
    }
}
