package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Local improvement: takes sinks off the most loaded link as long as the highest load falls by it. Where a sink finds
 * no room, another makes it, and so on for a few steps. Steps that do not lower the highest load are taken back.
 */
final class HotLinkSearch {
    private static final int LONGEST_CHAIN = 3;

    private final PlacementState loading;
    private final Waterfill fill;
    private final int[] fixed;
    private final boolean[] locked;
    private final List<Step> steps = new ArrayList<>();
    private long budget;

    private record Step(int sink, PlaneChoice[] before) {
    }

    private record Alike(int edge, double weight, List<PlaneChoice> way) {
    }

    /**
     * Prepares improvement.
     *
     * @param fixed per sink the number of stages that must stay
     * @param budget number of ways that may be tried
     */
    HotLinkSearch(PlacementState loading, Waterfill fill, int[] fixed, long budget) {
        this.loading = loading;
        this.fill = fill;
        this.fixed = fixed;
        this.budget = budget;
        locked = new boolean[fixed.length];
    }

    /**
     * Lowers the highest load as far as it gets.
     *
     * @param bound relative load below which it cannot get
     */
    void run(double bound) {
        for (double highest = loading.highest(); RelativeLoad.below(bound, highest); highest = loading.highest()) {
            steps.clear();
            if (!lower(highest)) {
                takeBack(0);
                return;
            }
        }
    }

    private boolean lower(double highest) {
        for (int link = loading.linkAt(highest); link >= 0; link = loading.linkAt(highest)) {
            int hot = link;
            boolean relieved = false;
            for (int chain = 1; !relieved && chain <= LONGEST_CHAIN && budget > 0; chain++) {
                relieved = relieve(hot, highest, chain);
            }
            if (!relieved) {
                return false;
            }
        }
        return true;
    }

    private boolean relieve(int link, double limit, int chain) {
        List<Integer> users = usersOf(link);
        return moveOne(users, limit) || chain > 1 && moveAnyway(users, link, limit, chain);
    }

    /** The movable sinks on a link; of those alike only the first. */
    private List<Integer> usersOf(int link) {
        List<Integer> users = new ArrayList<>();
        Set<Alike> seen = new HashSet<>();
        for (int sink = 0; sink < fixed.length; sink++) {
            PlaneChoice[] way = loading.ways[sink];
            if (!locked[sink] && fixed[sink] < way.length && loading.uses(sink, link)
                && seen.add(new Alike(loading.problem.edge[sink], loading.problem.weight[sink], List.of(way)))) {
                users.add(sink);
            }
        }
        return users;
    }

    /** Moves the sink that fits elsewhere best, preferably within its plane. */
    private boolean moveOne(List<Integer> users, double limit) {
        int mover = -1;
        PlaneChoice[] best = null;
        double[] least = null;
        boolean within = false;
        for (int sink : users) {
            PlaneChoice[] old = loading.take(sink);
            for (PlaneChoice[] way : alternatives(sink, old)) {
                double[] loads = loading.probe(sink, way, 0);
                boolean samePlane = way[0].plane() == old[0].plane();
                if (RelativeLoad.below(loads[0], limit) && (best == null || samePlane && !within
                    || samePlane == within && RelativeLoad.compare(loads, least) < 0)) {
                    mover = sink;
                    best = way;
                    least = loads;
                    within = samePlane;
                }
            }
            loading.put(sink, old);
        }
        if (mover >= 0) {
            move(mover, best);
        }
        return mover >= 0;
    }

    /** Moves a sink where it does not fit and makes room there. */
    private boolean moveAnyway(List<Integer> users, int link, double limit, int chain) {
        int mark = steps.size();
        for (int sink : users) {
            PlaneChoice[] old = loading.take(sink);
            List<PlaneChoice[]> ways = alternatives(sink, old);
            loading.put(sink, old);
            locked[sink] = true;
            for (PlaneChoice[] way : ways) {
                if (budget <= 0) {
                    break;
                }
                move(sink, way);
                Set<Integer> overloaded = loading.overloaded(sink, limit);
                if (!overloaded.contains(link)
                    && overloaded.stream().allMatch(next -> RelativeLoad.below(loading.relative(next), limit)
                        || relieve(next, limit, chain - 1))) {
                    locked[sink] = false;
                    return true;
                }
                takeBack(mark);
            }
            locked[sink] = false;
        }
        return false;
    }

    private List<PlaneChoice[]> alternatives(int sink, PlaneChoice[] old) {
        List<PlaneChoice[]> ways = new ArrayList<>();
        for (int at = fixed[sink]; at < old.length; at++) {
            PlaneChoice[] beginning = Arrays.copyOf(old, at);
            for (PlaneChoice stage : fill.choices(sink, beginning).stages) {
                if (!stage.sameSpine(old[at])) {
                    ways.add(fill.complete(sink, fill.append(sink, beginning, stage), null));
                }
            }
        }
        budget -= ways.size();
        return ways;
    }

    private void move(int sink, PlaneChoice[] way) {
        steps.add(new Step(sink, loading.take(sink)));
        loading.put(sink, way);
    }

    private void takeBack(int mark) {
        while (steps.size() > mark) {
            Step step = steps.removeLast();
            loading.take(step.sink());
            loading.put(step.sink(), step.before());
        }
    }
}
