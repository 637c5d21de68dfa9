package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Undoes moves that gain nothing: exchanges routes between interchangeable addresses so that more of them keep theirs,
 * and moves addresses back where that does not raise the highest load.
 */
final class MoveReduction {
    private final PlacementState state;
    private final PlacementModel model;
    private final PreviousPlacement previous;
    private final int[] pinned;

    /** Addresses equal in this are interchangeable: they may exchange routes without a change of loads. */
    private record Kind(int edge, double weight) {
    }

    MoveReduction(PlacementState state, PreviousPlacement previous, int[] pinned) {
        this.state = state;
        this.previous = previous;
        this.pinned = pinned;
        model = state.model;
    }

    void run() {
        exchange();
        double highest = state.highestLoad();
        for (int address = 0; address < model.addresses.size(); address++) {
            if (pinned[address] == 0 && couldMoveBack(address)) {
                PlaneChoice[] route = state.unassign(address);
                PlaneChoice[] old = previous.routes[address];
                boolean fits = !RelativeLoad.below(highest, state.loadsIfAssigned(address, old, 0)[0]);
                state.assign(address, fits ? old : route);
            }
        }
    }

    /** Whether an address moved from a route that is intact and serves as many sources. */
    private boolean couldMoveBack(int address) {
        PlaneChoice[] route = state.routes[address];
        PlaneChoice[] old = previous.routes[address];
        if (old.length == 0 || route.length == 0 || route[0].sameSpine(old[0])
            || previous.intact[address] < old.length) {
            return false;
        }
        for (int group = 0; group < model.groups; group++) {
            int pod = model.podOf[address];
            if (model.servingChoice(group, pod, route) >= 0 && model.servingChoice(group, pod, old) < 0) {
                return false;
            }
        }
        return true;
    }

    private void exchange() {
        Map<Kind, List<Integer>> interchangeable = new LinkedHashMap<>();
        for (int address = 0; address < model.addresses.size(); address++) {
            if (pinned[address] == 0) {
                interchangeable.computeIfAbsent(new Kind(model.edgeOf[address], model.weightOf[address]),
                    kind -> new ArrayList<>()).add(address);
            }
        }
        for (List<Integer> addresses : interchangeable.values()) {
            if (addresses.stream().anyMatch(address -> previous.isMoved(address, state.routes[address]))) {
                exchange(addresses);
            }
        }
    }

    /** Gives out the same routes anew: to addresses that had the spine before, then the plane, then to the rest. */
    private void exchange(List<Integer> addresses) {
        List<PlaneChoice[]> routes = new ArrayList<>();
        List<Integer> waiting = new ArrayList<>(addresses);
        addresses.forEach(address -> routes.add(state.unassign(address)));
        giveOut(waiting, routes, (one, other) -> one.sameSpine(other));
        giveOut(waiting, routes, (one, other) -> one.plane() == other.plane());
        for (int i = 0; i < waiting.size(); i++) {
            state.assign(waiting.get(i), routes.get(i));
        }
    }

    private void giveOut(List<Integer> waiting, List<PlaneChoice[]> routes,
            BiPredicate<PlaneChoice, PlaneChoice> suits) {
        waiting.removeIf(address -> {
            PlaneChoice before = previous.primary(address);
            for (int i = 0; before != null && i < routes.size(); i++) {
                if (routes.get(i).length > 0 && suits.test(routes.get(i)[0], before)) {
                    state.assign(address, routes.remove(i));
                    return true;
                }
            }
            return false;
        });
    }
}
