package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds the ways that carry traffic: makes up to four candidates, from the previous placement or from scratch, with
 * or without spines that serve only some sources, and takes the best.
 */
final class Solver {
    /** Ways that local improvement may try, per sink that may move and in any case. */
    private static final int TRIES_PER_SINK = 10;
    private static final int TRIES = 300;

    private final PlacementModel problem;
    private final PreviousPlacement previous;
    private final Scope scope;
    private final double bound;

    Solver(PlacementModel problem, PreviousPlacement previous, Scope scope) {
        this.problem = problem;
        this.previous = previous;
        this.scope = scope;
        bound = LowerBound.of(problem);
    }

    /** Compared by highest load, then by sinks that depend on partial spines, then by what moves. */
    private record Candidate(PlacementState loading, double highest, int partial, int moved, int changedPlane,
        int changed) {
    }

    PlacementState solve() {
        boolean fresh = Arrays.stream(previous.ways).allMatch(way -> way.length == 0);
        List<Candidate> candidates = new ArrayList<>();
        Candidate strict = candidate(true, !fresh);
        candidates.add(strict);
        boolean partial = new Waterfill(strict.loading(), false).hasPartial();
        if (partial && (strict.partial() > 0 || RelativeLoad.below(bound, strict.highest()))) {
            candidates.add(candidate(false, !fresh));
        }
        if (scope == Scope.OPTIMISE && !fresh
            && candidates.stream().allMatch(candidate -> RelativeLoad.below(bound, candidate.highest()))) {
            candidates.add(candidate(true, false));
            if (partial) {
                candidates.add(candidate(false, false));
            }
        }
        Candidate best = candidates.get(0);
        for (Candidate candidate : candidates) {
            if (better(candidate, best)) {
                best = candidate;
            }
        }
        return best.loading();
    }

    private static boolean better(Candidate one, Candidate other) {
        if (RelativeLoad.below(one.highest(), other.highest()) || RelativeLoad.below(other.highest(), one.highest())) {
            return one.highest() < other.highest();
        }
        return Comparator.comparingInt(Candidate::partial).thenComparingInt(Candidate::moved)
            .thenComparingInt(Candidate::changedPlane).thenComparingInt(Candidate::changed).compare(one, other) < 0;
    }

    private Candidate candidate(boolean strict, boolean fromPrevious) {
        PlacementState loading = new PlacementState(problem);
        Waterfill fill = new Waterfill(loading, strict);
        int count = problem.sinks.size();
        if (fromPrevious) {
            for (int sink = 0; sink < count; sink++) {
                loading.put(sink, kept(sink, strict, fill));
            }
        }
        for (int sink = 0; sink < count; sink++) {
            if (!fill.choices(sink, loading.ways[sink]).isEmpty()) {
                loading.put(sink, fill.complete(sink, loading.take(sink), previous.first(sink)));
            }
        }
        int[] fixed = scope == Scope.REPAIR ? previous.sound : new int[count];
        long movable = IntStream.range(0, count).filter(sink -> fixed[sink] < loading.ways[sink].length).count();
        new HotLinkSearch(loading, fill, fixed, TRIES + TRIES_PER_SINK * movable).run(bound);
        new MoveReduction(loading, previous, fixed).run();
        return judged(loading);
    }

    /** What a sink keeps of its previous way. */
    private PlaneChoice[] kept(int sink, boolean strict, Waterfill fill) {
        if (strict) {
            return Arrays.copyOf(previous.ways[sink], previous.sound[sink]);
        }
        PlaneChoice[] way = PlaneChoice.NOWHERE;
        for (PlaneChoice stage : previous.ways[sink]) {
            way = stage.backup() < 0 ? fill.append(sink, way, stage) : Waterfill.with(way, stage);
        }
        return way;
    }

    private Candidate judged(PlacementState loading) {
        int moved = 0;
        int changedPlane = 0;
        int changed = 0;
        for (int sink = 0; sink < problem.sinks.size(); sink++) {
            PlaneChoice[] way = loading.ways[sink];
            PlaneChoice before = previous.first(sink);
            changed += Arrays.equals(way, previous.ways[sink]) ? 0 : 1;
            if (before != null && way.length > 0 && !way[0].sameSpine(before)) {
                moved++;
                changedPlane += way[0].plane() == before.plane() ? 0 : 1;
            }
        }
        return new Candidate(loading, loading.highest(), loading.partial(), moved, changedPlane, changed);
    }
}
