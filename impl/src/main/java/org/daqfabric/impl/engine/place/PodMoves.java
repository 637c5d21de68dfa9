package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.List;

/**
 * Turns one placement by pod into a better one as far as a number of moved addresses allows. The address whose move
 * makes loads most even comes first. No move raises the highest load.
 */
final class PodMoves {
    private final PodState state;
    private final PodState target;
    private final List<Integer> movable = new ArrayList<>();

    /**
     * Prepares moves.
     *
     * @param state the placement that is changed
     * @param target the better one
     */
    PodMoves(PodState state, PodState target) {
        this.state = state;
        this.target = target;
        for (int address = 0; address < state.model.addresses.size(); address++) {
            if (isMoved(address)) {
                movable.add(address);
            }
        }
    }

    private boolean isMoved(int address) {
        for (int flow = address * state.pods; flow < (address + 1) * state.pods; flow++) {
            PlaneChoice[] from = state.routes[flow];
            PlaneChoice[] to = target.routes[flow];
            if (from.length > 0 && to.length > 0 && !from[0].sameSpine(to[0])) {
                return true;
            }
        }
        return false;
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
            move(best, target.routes);
        }
    }

    /** The address whose move makes loads most even, of equals the heaviest, then by name; -1 if none does. */
    private int bestMove() {
        double highest = state.highestLoad();
        double least = 0;
        int best = -1;
        for (int address : movable) {
            PlaneChoice[][] before = state.routes.clone();
            double rise = move(address, target.routes);
            boolean higher = RelativeLoad.below(highest, state.highestLoad());
            move(address, before);
            if (!higher && rise < least - RelativeLoad.EPSILON) {
                least = rise;
                best = address;
            }
        }
        return best;
    }

    /** Gives the flows of an address other routes, and returns by how much the unevenness rises. */
    private double move(int address, PlaneChoice[][] routes) {
        double unit = state.highestLoad();
        double rise = 0;
        for (int flow = address * state.pods; flow < (address + 1) * state.pods; flow++) {
            PlaneChoice[] old = state.unassign(flow);
            rise -= state.riseIfAssigned(flow, old, unit);
            rise += state.riseIfAssigned(flow, routes[flow], unit);
            state.assign(flow, routes[flow]);
        }
        return rise;
    }
}
