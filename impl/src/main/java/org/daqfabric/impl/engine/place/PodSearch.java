package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Local search that lowers the highest load of a placement by pod: moves one flow after another off the fullest links,
 * each to where loads become most even. As evenness counts and not the fullest link alone, flows also make room for
 * others. Where no move helps, the one that harms least is made, and a flow just moved stays for a while (tabu search):
 * so links that are full in turn exchange flows. In the end the best placement on the way stands.
 */
final class PodSearch {
    /** Links are relieved whose load is at least this part of the highest. */
    private static final double NEARLY_FULL = 0.9;
    /** Evenness that a move must gain to help, as a part of what the fullest link contributes. */
    private static final double LEAST_GAIN = 1e-4;
    /** Flows that are tried per link. */
    private static final int USERS = 48;
    /** Moves in a row that do not lower the highest load before the search ends. */
    private static final int PATIENCE = 400;
    /** Moves for which a flow stays where it was moved: at most, and at most this part of the flows that may move. */
    private static final int REST = 8;
    private static final int REST_PART = 3;

    private final PodState state;
    private final PodFill fill;
    private final int[] movable;
    private final int[] restsUntil;
    private final int rest;
    private final List<Move> sinceBest = new ArrayList<>();
    private long tries;
    /** Moves so far, and times when all flows that could move had to rest. */
    private int moves;

    private record Move(int flow, PlaneChoice[] before) {
    }

    /** A move that could be made, and the evenness that it gains. */
    private record Option(int flow, PlaneChoice[] route, double gain) {
    }

    /** Flows equal in this are interchangeable: moving any of them has the same effect on loads. */
    private record Kind(int edge, double weight, int from, List<PlaneChoice> route) {
    }

    /**
     * Prepares a search.
     *
     * @param movable flows that may move
     * @param tries number of routes that may be tried
     */
    PodSearch(PodState state, PodFill fill, IntPredicate movable, long tries) {
        this.state = state;
        this.fill = fill;
        this.movable = IntStream.range(0, state.routes.length)
            .filter(flow -> state.routes[flow].length > 0 && movable.test(flow)).toArray();
        this.tries = tries;
        restsUntil = new int[state.routes.length];
        rest = Math.min(REST, this.movable.length / REST_PART);
    }

    /**
     * Searches until nothing is to be gained.
     *
     * @param bound relative load below which no placement can get
     */
    void run(double bound) {
        double best = state.highestLoad();
        int without = 0;
        while (tries > 0 && RelativeLoad.below(bound, best) && sinceBest.size() < PATIENCE && !isStuck(best)) {
            Option option = next(state.highestLoad());
            moves++;
            if (option == null) {
                if (++without > rest) {
                    break;
                }
                continue;
            }
            without = 0;
            sinceBest.add(new Move(option.flow(), state.unassign(option.flow())));
            state.assign(option.flow(), option.route());
            restsUntil[option.flow()] = moves + rest + moves % REST_PART;
            double highest = state.highestLoad();
            if (RelativeLoad.below(highest, best)) {
                best = highest;
                sinceBest.clear();
            }
        }
        while (!sinceBest.isEmpty()) {
            Move move = sinceBest.removeLast();
            state.unassign(move.flow());
            state.assign(move.flow(), move.before());
        }
    }

    /** Whether flows that may not move alone load a link that much. */
    private boolean isStuck(double best) {
        if (movable.length == state.routes.length) {
            return false;
        }
        return state.linksAtLeast(best * (1 - RelativeLoad.EPSILON)).stream()
            .anyMatch(link -> Arrays.stream(movable).noneMatch(flow -> state.uses(flow, link)));
    }

    /** A move off a full link that helps; or that off one of the fullest which harms least; null if there is none. */
    private @Nullable Option next(double highest) {
        Option harmless = null;
        for (int link : state.linksAtLeast(highest * NEARLY_FULL)) {
            Option option = tries > 0 ? best(link, highest) : null;
            if (option != null && option.gain() > LEAST_GAIN) {
                return option;
            }
            if (option != null && !RelativeLoad.below(state.relativeLoad(link), highest)
                && (harmless == null || option.gain() > harmless.gain())) {
                harmless = option;
            }
        }
        return harmless;
    }

    /** The move off a link that gains most evenness; null if there is none. */
    private @Nullable Option best(int link, double highest) {
        Option best = null;
        for (int flow : usersOf(link)) {
            PlaneChoice[] old = state.unassign(flow);
            double fall = state.riseIfAssigned(flow, old, highest);
            for (PlaneChoice[] route : fill.routes(flow, highest)) {
                if (!Arrays.equals(route, old)) {
                    double gain = fall - state.riseIfAssigned(flow, route, highest);
                    tries--;
                    if (best == null || gain > best.gain() + RelativeLoad.EPSILON) {
                        best = new Option(flow, route, gain);
                    }
                }
            }
            state.assign(flow, old);
        }
        return best;
    }

    /** The movable flows on a link; of those interchangeable only the first. */
    private List<Integer> usersOf(int link) {
        List<Integer> users = new ArrayList<>();
        Set<Kind> seen = new HashSet<>();
        for (int flow : movable) {
            if (users.size() < USERS && restsUntil[flow] <= moves && state.uses(flow, link) && seen.add(kind(flow))) {
                users.add(flow);
            }
        }
        return users;
    }

    private Kind kind(int flow) {
        int address = state.address(flow);
        return new Kind(state.model.edgeOf[address], state.model.weightOf[address], state.from(flow),
            Arrays.asList(state.routes[flow]));
    }
}
