package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds the active routes: makes up to four candidates, from the previous placement or from scratch, with or without
 * partial spines, and takes the best. A candidate is made by {@link Waterfill}, improved by {@link HotLinkSearch} and
 * brought closer to the previous placement by {@link MoveReduction}.
 */
final class Solver {
    /** Routes that {@link HotLinkSearch} may try: so many per address that may move, and so many in any case. */
    private static final int TRIES_PER_ADDRESS = 10;
    private static final int TRIES = 300;

    private final PlacementModel model;
    private final PreviousPlacement previous;
    private final Scope scope;
    private final double bound;

    /**
     * Prepares a search.
     *
     * @param lower the bounds of the model
     */
    Solver(PlacementModel model, PreviousPlacement previous, Scope scope, LowerBound lower) {
        this.model = model;
        this.previous = previous;
        this.scope = scope;
        bound = lower.ofWhole();
    }

    /**
     * A solution with what it is judged by, in this order.
     *
     * @param highestLoad within rounding
     * @param partialRoutes number of addresses that depend on a partial spine
     * @param moved number of addresses with another first plane or spine
     * @param changedPlane number of addresses with another first plane
     * @param changed number of addresses with any change of their active route
     */
    private record Candidate(PlacementState state, double highestLoad, int partialRoutes, int moved, int changedPlane,
        int changed) {
    }

    PlacementState solve() {
        boolean fresh = Arrays.stream(previous.routes).allMatch(route -> route.length == 0);
        List<Candidate> candidates = new ArrayList<>();
        Candidate strict = candidate(true, !fresh);
        candidates.add(strict);
        boolean hasPartial = new Waterfill(strict.state(), false).hasPartial();
        if (hasPartial && (strict.partialRoutes() > 0 || RelativeLoad.below(bound, strict.highestLoad()))) {
            candidates.add(candidate(false, !fresh));
        }
        if (scope == Scope.OPTIMISE && !fresh
            && candidates.stream().allMatch(candidate -> RelativeLoad.below(bound, candidate.highestLoad()))) {
            candidates.add(candidate(true, false));
            if (hasPartial) {
                candidates.add(candidate(false, false));
            }
        }
        Candidate best = candidates.get(0);
        for (Candidate candidate : candidates) {
            if (isBetter(candidate, best)) {
                best = candidate;
            }
        }
        return best.state();
    }

    private static boolean isBetter(Candidate one, Candidate other) {
        int order = RelativeLoad.compare(one.highestLoad(), other.highestLoad());
        return order != 0 ? order < 0 : Comparator.comparingInt(Candidate::partialRoutes)
            .thenComparingInt(Candidate::moved).thenComparingInt(Candidate::changedPlane)
            .thenComparingInt(Candidate::changed).compare(one, other) < 0;
    }

    /**
     * Makes a candidate.
     *
     * @param strict whether partial spines are avoided, see {@link Waterfill}
     * @param fromPrevious whether the previous placement is the starting point
     */
    private Candidate candidate(boolean strict, boolean fromPrevious) {
        PlacementState state = new PlacementState(model);
        Waterfill waterfill = new Waterfill(state, strict);
        int count = model.addresses.size();
        if (fromPrevious) {
            for (int address = 0; address < count; address++) {
                state.assign(address, kept(address, strict, waterfill));
            }
        }
        waterfill.fill(previous);
        int[] pinned = scope == Scope.REPAIR ? previous.intact : new int[count];
        long movable =
            IntStream.range(0, count).filter(address -> pinned[address] < state.routes[address].length).count();
        new HotLinkSearch(state, waterfill, pinned, TRIES + TRIES_PER_ADDRESS * movable).run(bound);
        if (!previous.isNone()) {
            new MoveReduction(state, previous, pinned).run();
        }
        return judged(state);
    }

    /** What an address keeps of its previous active route: the intact part, or also choices that are partial now. */
    private PlaneChoice[] kept(int address, boolean strict, Waterfill waterfill) {
        if (strict) {
            return Arrays.copyOf(previous.routes[address], previous.intact[address]);
        }
        PlaneChoice[] route = PlaneChoice.UNPLACED;
        for (PlaneChoice choice : previous.routes[address]) {
            route = choice.backup() == PlaneChoice.NO_SPINE ? waterfill.append(address, route, choice)
                : Waterfill.with(route, choice);
        }
        return route;
    }

    private Candidate judged(PlacementState state) {
        int moved = 0;
        int changedPlane = 0;
        int changed = 0;
        for (int address = 0; address < model.addresses.size(); address++) {
            PlaneChoice[] route = state.routes[address];
            changed += Arrays.equals(route, previous.routes[address]) ? 0 : 1;
            if (previous.isMoved(address, route)) {
                moved++;
                changedPlane += route[0].plane() == previous.primary(address).plane() ? 0 : 1;
            }
        }
        return new Candidate(state, state.highestLoad(), state.partialRoutes(), moved, changedPlane, changed);
    }
}
