package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.spec.Address;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Makes the routes of addresses from those of their flows: the route that most flows of an address take, completed by
 * {@link StandbyRoutes}, and for packets from the other pods routes that differ from it in plane or spine.
 */
final class PodRoutes {
    private final PlacementModel model;
    private final PodState flows;
    private final Map<Address, Route> placed;
    private final PreviousPlacement previous;
    private final PlacementState whole;
    private final Waterfill waterfill;

    private PodRoutes(PodState flows, Map<Address, Route> placed) {
        this.flows = flows;
        this.placed = placed;
        model = flows.model;
        previous = new PreviousPlacement(model, placed);
        whole = new PlacementState(model);
        waterfill = new Waterfill(whole, true);
        for (int address = 0; address < model.addresses.size(); address++) {
            PlaneChoice choice = common(address);
            PlaneChoice[] route = choice == null ? PlaneChoice.UNPLACED
                : waterfill.append(address, PlaneChoice.UNPLACED, choice);
            whole.assign(address, waterfill.extend(address, route, previous.primary(address)));
        }
    }

    /**
     * The routes of all addresses that have one.
     *
     * @param placed the previous ones
     * @param keepPrevious whether possible standby choices of the previous placement stay even if others are better
     */
    static List<Map.Entry<Address, Route>> of(PodState flows, Map<Address, Route> placed, boolean keepPrevious) {
        PodRoutes routes = new PodRoutes(flows, placed);
        return routes.withPods(new StandbyRoutes(routes.whole, routes.previous, keepPrevious).routes());
    }

    /** The plane and spine that the address had as a whole, if a flow takes them, or else that of most traffic. */
    private @Nullable PlaneChoice common(int address) {
        PlaneChoice before = previous.primary(address);
        Map<PlaneChoice, Double> weights = new HashMap<>();
        PlaneChoice best = null;
        PlaneChoice within = null;
        for (int pod = 0; pod < flows.pods; pod++) {
            PlaneChoice[] route = flows.routes[address * flows.pods + pod];
            if (route.length > 0 && pod == model.podOf[address]) {
                within = route[0];
            } else if (route.length > 0) {
                if (before != null && route[0].sameSpine(before)) {
                    return route[0];
                }
                double weight = weights.merge(route[0], flows.weightOf(address * flows.pods + pod), Double::sum);
                if (best == null || RelativeLoad.below(weights.get(best), weight)) {
                    best = route[0];
                }
            }
        }
        return best != null || within == null ? best : waterfill.leastLoaded(address, PlaneChoice.UNPLACED,
            waterfill.choices(address, PlaneChoice.UNPLACED).within(within.plane()), before);
    }

    /** Entries are in the order of addresses, without those that have no route. */
    private List<Map.Entry<Address, Route>> withPods(List<Map.Entry<Address, Route>> entries) {
        List<Map.Entry<Address, Route>> routes = new ArrayList<>(entries.size());
        int address = 0;
        for (Map.Entry<Address, Route> entry : entries) {
            while (!model.addressOf(address).equals(entry.getKey())) {
                address++;
            }
            SortedMap<Integer, Route> fromPods = new TreeMap<>();
            for (int flow = address * flows.pods; flow < (address + 1) * flows.pods; flow++) {
                if (!takes(flow, entry.getValue())) {
                    fromPods.put(model.fabric.podId(flows.from(flow)), route(flow, entry.getValue()));
                }
            }
            Route route = entry.getValue().withPods(fromPods);
            routes.add(route == entry.getValue() ? entry : Map.entry(entry.getKey(), route));
        }
        return routes;
    }

    /** Whether a flow takes the first planes and their spines of a route; also if it takes none. */
    private boolean takes(int flow, Route route) {
        PlaneChoice[] choices = flows.routes[flow];
        for (int at = 0; at < choices.length; at++) {
            int plane = model.fabric.planeId(choices[at].plane());
            if (at >= route.planes().size() || route.planes().get(at) != plane || choices[at].spine() >= 0
                && route.spineChoice(plane).spine() != model.fabric.spineId(choices[at].plane(), choices[at].spine())) {
                return false;
            }
        }
        return true;
    }

    private Route route(int flow, Route common) {
        List<Integer> planes = new ArrayList<>();
        SortedMap<Integer, SpineChoice> spines = new TreeMap<>(common.spines());
        for (PlaneChoice choice : flows.routes[flow]) {
            int plane = model.fabric.planeId(choice.plane());
            planes.add(plane);
            int spine = choice.spine() < 0 ? 0 : model.fabric.spineId(choice.plane(), choice.spine());
            spines.put(plane, spine == 0 ? SpineChoice.NONE
                : new SpineChoice(spine, backup(flow, choice, plane, spine)));
        }
        common.planes().stream().filter(plane -> !planes.contains(plane)).forEach(planes::add);
        return new Route(planes, spines);
    }

    /** The backup that the flow had for the spine, if it leads there; or else the addresses take the others in turn. */
    private int backup(int flow, PlaneChoice choice, int plane, int spine) {
        int[] others = Arrays.stream(flows.options(flow)).filter(option -> option.plane() == choice.plane())
            .mapToInt(PlaneChoice::spine).filter(other -> other != choice.spine()).toArray();
        Route before = placed.get(model.addressOf(flows.address(flow)));
        if (before != null) {
            SpineChoice had = before.from(model.fabric.podId(flows.from(flow))).spineChoice(plane);
            int index = model.fabric.spine(choice.plane(), had.backup());
            if (had.spine() == spine && Arrays.stream(others).anyMatch(other -> other == index)) {
                return had.backup();
            }
        }
        return others.length == 0 ? SpineChoice.NONE.backup()
            : model.fabric.spineId(choice.plane(), others[(choice.spine() + flows.address(flow)) % others.length]);
    }
}
