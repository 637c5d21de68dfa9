package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Local search that lowers the highest load: moves addresses off the most loaded links for as long as this helps. Where
 * an address finds no room, another is moved out of its way, and so on in a short chain of moves. Moves that in the end
 * do not lower the highest load are undone.
 */
final class HotLinkSearch {
    /** Moves in a row of which each makes room for the one before. */
    private static final int LONGEST_CHAIN = 3;

    private final PlacementState state;
    private final Waterfill waterfill;
    private final int[] pinned;
    /** By address: whether the chain being tried has moved it. */
    private final boolean[] locked;
    private final List<Move> moves = new ArrayList<>();
    private long budget;

    private record Move(int address, PlaneChoice[] before) {
    }

    /** Addresses equal in this are interchangeable: moving any of them has the same effect on loads. */
    private record Kind(int edge, double weight, List<PlaneChoice> route) {
    }

    /**
     * Prepares improvement.
     *
     * @param pinned by address: number of leading choices that must stay
     * @param budget number of routes that may be tried
     */
    HotLinkSearch(PlacementState state, Waterfill waterfill, int[] pinned, long budget) {
        this.state = state;
        this.waterfill = waterfill;
        this.pinned = pinned;
        this.budget = budget;
        locked = new boolean[pinned.length];
    }

    /**
     * Lowers the highest load as far as possible.
     *
     * @param bound relative load below which no placement can get
     */
    void run(double bound) {
        for (double highest = state.highestLoad(); RelativeLoad.below(bound, highest); highest = state.highestLoad()) {
            moves.clear();
            if (!relieveAll(highest)) {
                undoTo(0);
                return;
            }
        }
    }

    /** Brings all links below the highest load; returns whether that was possible. */
    private boolean relieveAll(double highest) {
        for (int link = state.firstLinkAtLeast(highest); link >= 0; link = state.firstLinkAtLeast(highest)) {
            int hotLink = link;
            boolean relieved = false;
            for (int maxMoves = 1; !relieved && maxMoves <= LONGEST_CHAIN && budget > 0; maxMoves++) {
                relieved = relieve(hotLink, highest, maxMoves);
            }
            if (!relieved) {
                return false;
            }
        }
        return true;
    }

    /** Brings a link below the limit by at most that many moves, with no other link at or above the limit by them. */
    private boolean relieve(int link, double limit, int maxMoves) {
        List<Integer> users = usersOf(link);
        return moveOne(users, limit) || maxMoves > 1 && moveAndMakeRoom(users, link, limit, maxMoves);
    }

    /** The movable addresses on a link; of those interchangeable only the first. */
    private List<Integer> usersOf(int link) {
        List<Integer> users = new ArrayList<>();
        Set<Kind> seen = new HashSet<>();
        for (int address = 0; address < pinned.length; address++) {
            PlaneChoice[] route = state.routes[address];
            if (!locked[address] && pinned[address] < route.length && state.uses(address, link)
                && seen.add(new Kind(state.model.edgeOf[address], state.model.weightOf[address], List.of(route)))) {
                users.add(address);
            }
        }
        return users;
    }

    /** Moves the address that has the least loaded alternative below the limit, preferably one in the same plane. */
    private boolean moveOne(List<Integer> users, double limit) {
        int mover = -1;
        PlaneChoice[] best = null;
        double[] lowest = null;
        boolean bestInSamePlane = false;
        for (int address : users) {
            PlaneChoice[] old = state.unassign(address);
            for (PlaneChoice[] route : alternatives(address, old)) {
                double[] loads = state.loadsIfAssigned(address, route, 0);
                boolean samePlane = route[0].plane() == old[0].plane();
                if (RelativeLoad.below(loads[0], limit) && (best == null || samePlane && !bestInSamePlane
                    || samePlane == bestInSamePlane && RelativeLoad.compare(loads, lowest) < 0)) {
                    mover = address;
                    best = route;
                    lowest = loads;
                    bestInSamePlane = samePlane;
                }
            }
            state.assign(address, old);
        }
        if (mover >= 0) {
            move(mover, best);
        }
        return mover >= 0;
    }

    /** Moves an address to links that it overloads and relieves these; undoes what does not succeed. */
    private boolean moveAndMakeRoom(List<Integer> users, int link, double limit, int maxMoves) {
        int before = moves.size();
        for (int address : users) {
            PlaneChoice[] old = state.unassign(address);
            List<PlaneChoice[]> routes = alternatives(address, old);
            state.assign(address, old);
            locked[address] = true;
            for (PlaneChoice[] route : routes) {
                if (budget <= 0) {
                    break;
                }
                move(address, route);
                Set<Integer> overloaded = state.linksAtLeast(address, limit);
                if (!overloaded.contains(link)
                    && overloaded.stream().allMatch(next -> RelativeLoad.below(state.relativeLoad(next), limit)
                        || relieve(next, limit, maxMoves - 1))) {
                    locked[address] = false;
                    return true;
                }
                undoTo(before);
            }
            locked[address] = false;
        }
        return false;
    }

    /** All routes that differ from the old one in a choice that is not pinned, and are extended by waterfilling. */
    private List<PlaneChoice[]> alternatives(int address, PlaneChoice[] old) {
        List<PlaneChoice[]> routes = new ArrayList<>();
        for (int at = pinned[address]; at < old.length; at++) {
            PlaneChoice[] beginning = Arrays.copyOf(old, at);
            for (PlaneChoice choice : waterfill.choices(address, beginning).options) {
                if (!choice.sameSpine(old[at])) {
                    routes.add(waterfill.extend(address, waterfill.append(address, beginning, choice), null));
                }
            }
        }
        budget -= routes.size();
        return routes;
    }

    private void move(int address, PlaneChoice[] route) {
        moves.add(new Move(address, state.unassign(address)));
        state.assign(address, route);
    }

    private void undoTo(int size) {
        while (moves.size() > size) {
            Move move = moves.removeLast();
            state.unassign(move.address());
            state.assign(move.address(), move.before());
        }
    }
}
