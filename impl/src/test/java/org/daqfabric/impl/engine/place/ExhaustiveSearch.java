package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Tries every active route for every address: finds the lowest highest load in models that are small enough. */
final class ExhaustiveSearch {
    private final PlacementState state;
    private final Waterfill waterfill;
    private double lowest;
    private long nodesLeft;

    private ExhaustiveSearch(PlacementModel model, double knownLoad, long maxNodes) {
        state = new PlacementState(model);
        waterfill = new Waterfill(state, false);
        lowest = knownLoad;
        nodesLeft = maxNodes;
    }

    /** The lowest highest load, at most the known one; empty if there are too many combinations. */
    static OptionalDouble lowest(PlacementModel model, double knownLoad, long maxNodes) {
        ExhaustiveSearch search = new ExhaustiveSearch(model, knownLoad, maxNodes);
        search.place(0, -1);
        return search.nodesLeft > 0 ? OptionalDouble.of(search.lowest) : OptionalDouble.empty();
    }

    private void place(int address, int lastChoice) {
        PlacementModel model = state.model;
        if (address == model.addresses.size()) {
            lowest = state.highestLoad();
            return;
        }
        List<PlaneChoice[]> routes = new ArrayList<>();
        for (PlaneChoice choice : waterfill.choices(address, PlaneChoice.UNPLACED).options) {
            routes.add(waterfill.extend(address, waterfill.append(address, PlaneChoice.UNPLACED, choice), null));
        }
        if (routes.isEmpty()) {
            place(address + 1, -1);
        }
        // the order among interchangeable addresses does not matter
        boolean interchangeable = address > 0 && model.edgeOf[address] == model.edgeOf[address - 1]
            && model.weightOf[address] == model.weightOf[address - 1];
        int first = interchangeable ? Math.max(0, lastChoice) : 0;
        for (int choice = first; choice < routes.size() && nodesLeft-- > 0; choice++) {
            state.assign(address, routes.get(choice));
            if (RelativeLoad.below(state.highestLoad(), lowest)) {
                place(address + 1, choice);
            }
            state.unassign(address);
        }
    }
}
