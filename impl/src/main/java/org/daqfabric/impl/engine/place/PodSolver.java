package org.daqfabric.impl.engine.place;

import java.util.Arrays;
import java.util.Map;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.Ipv4;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Finds the active routes of flows: from the previous placement, or from the best for whole addresses. {@link PodFill}
 * places what has no path, {@link PodSearch} splits addresses where this lowers the highest load, and moves that gain
 * nothing are undone.
 */
final class PodSolver {
    /** Routes that a search may try: so many per movable flow, and more in a small fabric, where a try is cheap. */
    private static final int TRIES_PER_FLOW = 20;
    private static final int TRIES_OF_SMALL = 20_000;
    private static final int SMALL = 1000;
    private static final long MOST_TRIES = 50_000;

    private final PlacementModel model;
    private final Map<Ipv4, Route> placed;
    private final Scope scope;
    private final double bound;

    PodSolver(PlacementModel model, Map<Ipv4, Route> placed, Scope scope) {
        this.model = model;
        this.placed = placed;
        this.scope = scope;
        bound = LowerBound.ofSplit(model);
    }

    PodState solve() {
        PodState state = new PodState(model);
        PodPrevious previous = new PodPrevious(state, placed);
        if (previous.isNone()) {
            return fromWhole(previous);
        }
        PodState kept = fromPrevious(state, previous);
        if (scope == Scope.REPAIR || !RelativeLoad.below(bound, kept.highestLoad())) {
            return kept;
        }
        PodState fresh = fromWhole(previous);
        return RelativeLoad.below(fresh.highestLoad(), kept.highestLoad()) ? fresh : kept;
    }

    private PodState fromPrevious(PodState state, PodPrevious previous) {
        PodFill fill = new PodFill(state, previous);
        for (int flow = 0; flow < state.routes.length; flow++) {
            state.assign(flow, previous.routes[flow]);
        }
        fill.run();
        improve(state, fill, scope == Scope.REPAIR ? previous.routes : null, state.routes.clone());
        return state;
    }

    /** From the best placement of whole addresses, which splits nothing. */
    private PodState fromWhole(PodPrevious previous) {
        PlacementState whole = new Solver(model, new PreviousPlacement(model, Map.of()), Scope.OPTIMISE).solve();
        PodState state = new PodState(model);
        PodFill fill = new PodFill(state, previous);
        for (int address = 0; address < whole.routes.length; address++) {
            for (int pod = 0; pod < state.pods; pod++) {
                int flow = address * state.pods + pod;
                state.assign(flow, ofWhole(state, flow, whole.routes[address]));
            }
        }
        fill.run();
        improve(state, fill, null, state.routes.clone());
        return state;
    }

    /** What a flow takes under the route of a whole address; nothing if its spine does not lead from the pod. */
    private static PlaneChoice[] ofWhole(PodState state, int flow, PlaneChoice[] whole) {
        PlaneChoice[] route = PlaneChoice.UNPLACED;
        for (PlaneChoice choice : whole) {
            if (state.servesMore(flow, choice.plane(), route)) {
                if (!state.isOption(flow, choice.plane(), choice.spine())) {
                    break;
                }
                route = Waterfill.with(route, new PlaneChoice(choice.plane(),
                    state.from(flow) == state.to(flow) ? PlaneChoice.NO_SPINE : choice.spine()));
            }
        }
        return route;
    }

    /**
     * Searches, and undoes what gains nothing.
     *
     * @param pinned by flow: it stays where it is if this has a route; null if all may move
     * @param before by flow: where it is
     */
    private void improve(PodState state, PodFill fill, PlaneChoice @Nullable [][] pinned, PlaneChoice[][] before) {
        double highest = state.highestLoad();
        long movable = pinned == null ? before.length
            : Arrays.stream(pinned).filter(route -> route.length == 0).count();
        new PodSearch(state, fill, flow -> pinned == null || pinned[flow].length == 0,
            movable == 0 ? 0 : Math.min(MOST_TRIES,
                TRIES_PER_FLOW * movable + TRIES_OF_SMALL * SMALL / Math.max(SMALL, before.length))).run(bound);
        double lowered = state.highestLoad();
        boolean gained = RelativeLoad.below(lowered, highest);
        for (int flow = 0; flow < before.length; flow++) {
            if (state.routes[flow] != before[flow]) {
                PlaneChoice[] moved = state.unassign(flow);
                boolean fits =
                    !gained || !RelativeLoad.below(lowered, state.highestIfAssigned(flow, before[flow]));
                state.assign(flow, fits ? before[flow] : moved);
            }
        }
    }
}
