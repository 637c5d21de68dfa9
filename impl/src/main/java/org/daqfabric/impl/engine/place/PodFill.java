package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jdt.annotation.Nullable;

/** Waterfilling by pod: gives flows the plane and spine by which loads stay most even. */
final class PodFill {
    /** Routes of a flow that needs several planes, all of which are compared; more only in part. */
    private static final int MOST_ROUTES = 100;

    /** Options that are all compared; of more, which are mostly alike, only one spine per plane. */
    private static final int FEW = 16;

    private final PodState state;
    private final PodPrevious previous;
    private final double bound;
    /** By pod and edge switch: the routes of their flows if these can all be compared; empty if they are too many. */
    private final Map<Integer, List<PlaneChoice[]>> all = new HashMap<>();

    /**
     * Prepares a placement of flows.
     *
     * @param bound relative load below which no placement can get
     */
    PodFill(PodState state, PodPrevious previous, double bound) {
        this.state = state;
        this.previous = previous;
        this.bound = bound;
    }

    /**
     * Gives every flow that has no route one, and completes routes that do not serve all sources. Flows to an address
     * that lost the same plane and spine stay together where they can, so that nothing is split without need.
     */
    void run() {
        // at least the bound, for there may be no load yet
        double unit = Math.max(Math.max(state.highestLoad(), bound), Double.MIN_NORMAL);
        for (int address = 0; address < state.model.addresses.size(); address++) {
            List<Integer> open = new ArrayList<>();
            for (int flow = address * state.pods; flow < (address + 1) * state.pods; flow++) {
                if (state.routes[flow].length == 0 && state.options(flow).length > 0) {
                    open.add(flow);
                } else if (state.routes[flow].length > 0) {
                    state.assign(flow, extend(flow, state.unassign(flow), unit));
                }
            }
            while (!open.isEmpty()) {
                PlaneChoice before = previous.primary(open.get(0));
                List<Integer> together = open.stream().filter(flow -> sameSpine(before, previous.primary(flow)))
                    .toList();
                open.removeAll(together);
                place(together, before, unit);
            }
        }
    }

    private static boolean sameSpine(@Nullable PlaneChoice one, @Nullable PlaneChoice other) {
        return one == null ? other == null : other != null && one.sameSpine(other);
    }

    /** Places flows to one address together, or where nothing leads from all their pods each by itself. */
    private void place(List<Integer> flows, @Nullable PlaneChoice before, double unit) {
        PlaneChoice best = null;
        double lowest = Double.POSITIVE_INFINITY;
        for (PlaneChoice option : candidates(flows)) {
            double rise = rise(flows, option, unit);
            int order = best == null ? -1 : RelativeLoad.compare(rise, lowest);
            if (order < 0 || order == 0 && inPlane(before, option) && !inPlane(before, best)) {
                best = option;
                lowest = rise;
            }
        }
        if (best == null) {
            flows.forEach(flow -> place(List.of(flow), before, unit));
        } else {
            for (int flow : flows) {
                state.assign(flow, extend(flow, first(flow, best), unit));
            }
        }
    }

    /** The options that all these flows have; of many only the emptiest spine of each plane. */
    private List<PlaneChoice> candidates(List<Integer> flows) {
        List<PlaneChoice> common = new ArrayList<>();
        PlaneChoice[] options = widest(flows);
        PlaneChoice emptiest = null;
        double lowest = Double.POSITIVE_INFINITY;
        for (PlaneChoice option : options) {
            if (!allHave(flows, option)) {
                continue;
            }
            if (options.length <= FEW || option.spine() == PlaneChoice.NO_SPINE) {
                common.add(option);
                continue;
            }
            double spineLoad = 0;
            for (int flow : flows) {
                spineLoad = state.from(flow) == state.to(flow) ? spineLoad
                    : Math.max(spineLoad, state.spineLoad(flow, option));
            }
            if (emptiest != null && emptiest.plane() != option.plane()) {
                common.add(emptiest);
                lowest = Double.POSITIVE_INFINITY;
            }
            if (RelativeLoad.below(spineLoad, lowest)) {
                emptiest = option;
                lowest = spineLoad;
            }
        }
        if (emptiest != null) {
            common.add(emptiest);
        }
        return common;
    }

    private boolean allHave(List<Integer> flows, PlaneChoice option) {
        for (int flow : flows) {
            if (!state.isOption(flow, option.plane(), option.spine())) {
                return false;
            }
        }
        return true;
    }

    /** The options of a flow from another pod if there is one, for those of a flow within a pod have no spine. */
    private PlaneChoice[] widest(List<Integer> flows) {
        return state.options(flows.stream().filter(flow -> state.from(flow) != state.to(flow)).findFirst()
            .orElse(flows.get(0)));
    }

    private double rise(List<Integer> flows, PlaneChoice option, double unit) {
        double rise = 0;
        for (int flow : flows) {
            PlaneChoice[] route = first(flow, option);
            rise += state.riseIfAssigned(flow, route, unit);
            state.assign(flow, route);
        }
        flows.forEach(state::unassign);
        return rise;
    }

    private static boolean inPlane(@Nullable PlaneChoice before, PlaneChoice option) {
        return before != null && before.plane() == option.plane();
    }

    private PlaneChoice[] first(int flow, PlaneChoice option) {
        return new PlaneChoice[] {
            state.from(flow) == state.to(flow) ? new PlaneChoice(option.plane(), PlaneChoice.NO_SPINE) : option};
    }

    /**
     * Routes of an unassigned flow to compare: all that serve as many sources as possible, or where these are too many,
     * those that waterfilling makes of each first choice.
     */
    List<PlaneChoice[]> routes(int flow, double unit) {
        int edge = state.model.edgeOf[state.address(flow)];
        List<PlaneChoice[]> routes = all.computeIfAbsent(edge * state.pods + state.from(flow), key -> all(flow));
        if (!routes.isEmpty()) {
            return routes;
        }
        return Arrays.stream(state.options(flow)).map(option -> extend(flow, new PlaneChoice[] {option}, unit))
            .toList();
    }

    private List<PlaneChoice[]> all(int flow) {
        if (state.servesAlike(flow)) {
            return Arrays.stream(state.options(flow)).map(option -> new PlaneChoice[] {option}).toList();
        }
        List<PlaneChoice[]> routes = new ArrayList<>();
        return addAll(flow, PlaneChoice.UNPLACED, routes) ? routes : List.of();
    }

    private boolean addAll(int flow, PlaneChoice[] beginning, List<PlaneChoice[]> routes) {
        boolean ends = true;
        for (PlaneChoice option : state.options(flow)) {
            if (state.servesMore(flow, option.plane(), beginning)) {
                ends = false;
                if (!addAll(flow, Waterfill.with(beginning, option), routes)) {
                    return false;
                }
            }
        }
        if (ends) {
            routes.add(beginning);
        }
        return routes.size() <= MOST_ROUTES;
    }

    /** Appends choices to the route of an unassigned flow until no more sources can be served. */
    PlaneChoice[] extend(int flow, PlaneChoice[] beginning, double unit) {
        PlaneChoice[] route = beginning;
        while (!state.servesAlike(flow)) {
            PlaneChoice[] longer = null;
            double lowest = Double.POSITIVE_INFINITY;
            for (PlaneChoice option : state.options(flow)) {
                if (state.servesMore(flow, option.plane(), route)) {
                    PlaneChoice[] candidate = Arrays.copyOf(route, route.length + 1);
                    candidate[route.length] = option;
                    double rise = state.riseIfAssigned(flow, candidate, unit);
                    if (longer == null || RelativeLoad.below(rise, lowest)) {
                        longer = candidate;
                        lowest = rise;
                    }
                }
            }
            if (longer == null) {
                break;
            }
            route = longer;
        }
        return route;
    }
}
