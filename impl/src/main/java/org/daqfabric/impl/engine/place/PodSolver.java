package org.daqfabric.impl.engine.place;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.Address;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Finds the active routes of flows: from the previous placement, or from the best for whole addresses. {@link PodFill}
 * places what has no path, {@link PodSearch} splits addresses where this lowers the highest load, and moves that gain
 * nothing are undone.
 */
final class PodSolver {
    /** Routes that a search may try: so many per movable flow, and more in a small fabric, where a try is cheap. */
    private static final int TRIES_PER_FLOW = 20;
    private static final long TRIES_OF_SMALL = 100_000;
    private static final int SMALL = 1000;
    private static final long MOST_TRIES = 50_000;

    private final PlacementModel model;
    private final Map<Address, Route> placed;
    private final Scope scope;
    private final LowerBound lower;

    PodSolver(PlacementModel model, Map<Address, Route> placed, Scope scope) {
        this.model = model;
        this.placed = placed;
        this.scope = scope;
        lower = new LowerBound(model);
    }

    /** The routes of all addresses that have one. */
    List<Map.Entry<Address, Route>> routes() {
        if (!placed.isEmpty()) {
            return PodRoutes.of(solve(), placed, scope == Scope.REPAIR);
        }
        PlacementState whole = whole(Map.of());
        if (isBest(whole)) {
            // as in most fabrics: no flow would take another way, so there is none to look at
            return new StandbyRoutes(whole, new PreviousPlacement(model, placed), false).routes();
        }
        PodState state = new PodState(model);
        return PodRoutes.of(fromWhole(new PodPrevious(state, placed), whole, PodBound.of(state, lower)), placed, false);
    }

    /** Whether whole addresses leave nothing to gain, and each uses one plane and spine, from some other pod, too. */
    private boolean isBest(PlacementState whole) {
        return whole.partialRoutes() == 0 && !RelativeLoad.below(lower.ofSplit(), whole.highestLoad())
            && IntStream.range(0, whole.routes.length).allMatch(address -> whole.routes[address].length == 1
                && model.servesOtherPods(whole.routes[address][0], model.podOf[address])
                && !model.canServeMore(model.edgeOf[address], whole.routes[address]));
    }

    PodState solve() {
        PodState state = new PodState(model);
        double bound = PodBound.of(state, lower);
        PodPrevious previous = new PodPrevious(state, placed);
        if (previous.isNone()) {
            return fromWhole(previous, whole(Map.of()), bound);
        }
        PodState best = fromPrevious(state, previous, bound);
        // whole addresses are tried both ways, so that what is placed by address is never better
        for (Map<Address, Route> wholes : List.of(placed, Map.<Address, Route>of())) {
            if (scope == Scope.OPTIMISE && RelativeLoad.below(bound, best.highestLoad())) {
                PodState other = fromWhole(previous, whole(wholes), bound);
                best = RelativeLoad.below(other.highestLoad(), best.highestLoad()) ? other : best;
            }
        }
        return best;
    }

    private PodState fromPrevious(PodState state, PodPrevious previous, double bound) {
        PodFill fill = new PodFill(state, previous, bound);
        for (int flow = 0; flow < state.routes.length; flow++) {
            state.assign(flow, previous.routes[flow]);
        }
        complete(state, fill, scope == Scope.REPAIR ? previous.routes : null, bound);
        return state;
    }

    /**
     * The best placement of whole addresses.
     *
     * @param wholes where this begins; nothing if anew
     */
    private PlacementState whole(Map<Address, Route> wholes) {
        return new Solver(model, new PreviousPlacement(model, wholes), Scope.OPTIMISE, lower).solve();
    }

    /** From the best placement of whole addresses, which splits nothing. */
    private PodState fromWhole(PodPrevious previous, PlacementState whole, double bound) {
        PodState state = new PodState(model);
        PodFill fill = new PodFill(state, previous, bound);
        for (int flow = 0; flow < state.routes.length; flow++) {
            state.assign(flow, ofWhole(state, flow, whole.routes[state.address(flow)]));
        }
        complete(state, fill, null, bound);
        if (!previous.isNone()) {
            undo(state, previous.routes, false);
        }
        return state;
    }

    /** What the packets of a flow take under the route of a whole address. */
    private static PlaneChoice[] ofWhole(PodState state, int flow, PlaneChoice[] whole) {
        PlaneChoice[] route = PlaneChoice.UNPLACED;
        int from = state.from(flow);
        int to = state.to(flow);
        for (PlaneChoice choice : whole) {
            if (state.servesMore(flow, choice.plane(), route)) {
                route = Waterfill.with(route, new PlaneChoice(choice.plane(), from == to ? PlaneChoice.NO_SPINE
                    : state.model.fabric.spine(choice.plane(), from, to, choice.spine(), choice.backup())));
            }
        }
        return route;
    }

    /**
     * Places what has no path, and splits addresses where this lowers the highest load.
     *
     * @param pinned by flow: it stays where it is if this has a route; null if all may move
     */
    private static void complete(PodState state, PodFill fill, PlaneChoice @Nullable [][] pinned, double bound) {
        fill.run();
        PlaneChoice[][] before = state.routes.clone();
        double highest = state.highestLoad();
        search(state, fill, pinned, bound);
        undo(state, before, !RelativeLoad.below(state.highestLoad(), highest));
    }

    /**
     * Searches for a lower highest load.
     *
     * @param pinned by flow: it stays where it is if this has a route; null if all may move
     */
    private static void search(PodState state, PodFill fill, PlaneChoice @Nullable [][] pinned, double bound) {
        int flows = state.routes.length;
        long movable = pinned == null ? flows : Arrays.stream(pinned).filter(route -> route.length == 0).count();
        new PodSearch(state, fill, flow -> pinned == null || pinned[flow].length == 0,
            movable == 0 ? 0 : Math.min(MOST_TRIES, TRIES_PER_FLOW * movable)
                + TRIES_OF_SMALL * SMALL / Math.max(SMALL, flows)).run(bound);
    }

    /**
     * Gives flows back the routes they had, where these serve as many sources.
     *
     * @param all whether all get them; or else only those that raise no load above the highest by it
     */
    private static void undo(PodState state, PlaneChoice[][] before, boolean all) {
        double highest = state.highestLoad();
        for (int flow = 0; flow < before.length; flow++) {
            if (!Arrays.equals(state.routes[flow], before[flow]) && state.servesAsMuch(flow, before[flow])) {
                PlaneChoice[] moved = state.unassign(flow);
                boolean fits =
                    all || !RelativeLoad.below(highest, state.highestIfAssigned(flow, before[flow]));
                state.assign(flow, fits ? before[flow] : moved);
            }
        }
    }
}
