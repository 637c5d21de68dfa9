package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.daqfabric.impl.engine.topology.Endpoint;

/**
 * Algorithm 6.1 of the thesis, with the test of Algorithm 6.2 whether there is a path, for comparison with
 * {@link Waterfill}: one spine after the other, whatever their loads. Its result depends on the order of addresses and
 * of spines. The thesis leaves the order open; {@link Placer} uses (pod, rack, name) and (plane, spine).
 */
final class RoundRobin {
    static final Comparator<Endpoint> BY_RACK = Comparator.comparing(Endpoint::pod).thenComparing(Endpoint::edge)
        .thenComparing(Endpoint::name).thenComparing(Endpoint::address);
    static final Comparator<PlaneChoice> BY_PLANE =
        Comparator.comparingInt(PlaneChoice::plane).thenComparingInt(PlaneChoice::spine);

    private final PlacementModel model;
    private final Comparator<Endpoint> addressOrder;
    private final List<PlaneChoice> spines;

    RoundRobin(PlacementModel model, Comparator<Endpoint> addressOrder, Comparator<PlaneChoice> spineOrder) {
        this.model = model;
        this.addressOrder = addressOrder;
        spines = IntStream.range(0, model.fabric.planes()).boxed()
            .flatMap(plane -> IntStream.range(0, model.fabric.spines(plane))
                .mapToObj(spine -> new PlaneChoice(plane, spine)))
            .sorted(spineOrder).toList();
    }

    /** Places every address; in a repair those with an intact first choice keep it. */
    PlacementState solve(PreviousPlacement previous, Scope scope) {
        PlacementState state = new PlacementState(model);
        Waterfill waterfill = new Waterfill(state, true);
        List<Integer> moving = new ArrayList<>();
        for (int address = 0; address < model.addresses.size(); address++) {
            if (scope == Scope.REPAIR && previous.intact[address] > 0) {
                state.assign(address, Arrays.copyOf(previous.routes[address], previous.intact[address]));
            } else {
                moving.add(address);
            }
        }
        moving.sort(Comparator.comparing(model.addresses::get, addressOrder));
        int next = 0;
        for (int address : moving) {
            PlaneChoices choices = waterfill.choices(address, PlaneChoice.UNPLACED);
            for (int tries = 0; tries < spines.size(); tries++) {
                PlaneChoice choice = spines.get(next++ % spines.size());
                if (choices.has(choice)) {
                    state.assign(address, waterfill.append(address, PlaneChoice.UNPLACED, choice));
                    break;
                }
            }
        }
        waterfill.fill(previous);
        return state;
    }
}
