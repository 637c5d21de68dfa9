package org.daqfabric.impl.engine.place;

import java.util.Arrays;

/**
 * Finds out where addresses would best go if a leaf or spine failed: takes their routes from them, gives them new ones
 * by waterfilling over what would be left, and restores everything.
 */
final class FailureRehearsal {
    private final PlacementState state;
    private final Waterfill waterfill;
    private final boolean keepPrevious;

    FailureRehearsal(PlacementState state, Waterfill waterfill, boolean keepPrevious) {
        this.state = state;
        this.waterfill = waterfill;
        this.keepPrevious = keepPrevious;
    }

    /**
     * Rehearses a failure.
     *
     * @param addresses those that use what fails
     * @param choices the options of each, not empty
     * @param before the standby choice of each in the previous placement, null if none. It stays if it is still an
     *     option and does not raise the highest load. If previous choices are kept it stays in any case; where its
     *     spine is no option the plane stays, as edge switches depend on planes only
     * @param plane the plane of what fails: the choice in it is replaced
     * @return the standby choice of each
     */
    PlaneChoice[] rehearse(int[] addresses, PlaneChoices[] choices, PlaneChoice[] before, int plane) {
        PlaneChoice[] chosen = new PlaneChoice[before.length];
        int open = 0;
        for (int i = 0; i < before.length; i++) {
            chosen[i] = before[i] != null && choices[i].has(before[i]) ? before[i] : null;
            open += chosen[i] == null ? 1 : 0;
        }
        if (open > 0) {
            fill(addresses, keepPrevious ? withinPlanes(choices, before, chosen) : choices, chosen, plane);
        }
        if (keepPrevious || open == before.length) {
            return chosen;
        }
        PlaneChoice[] fresh = new PlaneChoice[before.length];
        fill(addresses, choices, fresh, plane);
        return RelativeLoad.below(highestLoad(addresses, fresh, plane), highestLoad(addresses, chosen, plane)) ? fresh
            : chosen;
    }

    private static PlaneChoices[] withinPlanes(PlaneChoices[] choices, PlaneChoice[] before, PlaneChoice[] chosen) {
        PlaneChoices[] within = choices.clone();
        for (int i = 0; i < before.length; i++) {
            if (before[i] != null && chosen[i] == null) {
                within[i] = choices[i].within(before[i].plane());
            }
        }
        return within;
    }

    /** Makes the choices that are null. */
    private void fill(int[] addresses, PlaneChoices[] choices, PlaneChoice[] chosen, int plane) {
        PlaneChoice[][] routes = unassign(addresses);
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i] != null) {
                state.assign(addresses[i], with(routes[i], plane, chosen[i]));
            }
        }
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i] == null) {
                chosen[i] = waterfill.leastLoaded(addresses[i], upTo(routes[i], plane), choices[i], null);
                state.assign(addresses[i], with(routes[i], plane, chosen[i]));
            }
        }
        restore(addresses, routes);
    }

    /** The highest load with these choices. */
    private double highestLoad(int[] addresses, PlaneChoice[] chosen, int plane) {
        PlaneChoice[][] routes = unassign(addresses);
        for (int i = 0; i < chosen.length; i++) {
            state.assign(addresses[i], with(routes[i], plane, chosen[i]));
        }
        double highest = state.highestLoad();
        restore(addresses, routes);
        return highest;
    }

    private PlaneChoice[][] unassign(int[] addresses) {
        PlaneChoice[][] routes = new PlaneChoice[addresses.length][];
        for (int i = 0; i < routes.length; i++) {
            routes[i] = state.unassign(addresses[i]);
        }
        return routes;
    }

    private void restore(int[] addresses, PlaneChoice[][] routes) {
        for (int i = 0; i < routes.length; i++) {
            state.unassign(addresses[i]);
            state.assign(addresses[i], routes[i]);
        }
    }

    /** The part of a route before the choice in a plane. */
    private static PlaneChoice[] upTo(PlaneChoice[] route, int plane) {
        int at = 0;
        while (route[at].plane() != plane) {
            at++;
        }
        return at == 0 ? PlaneChoice.UNPLACED : Arrays.copyOf(route, at);
    }

    /** The route with another choice in place of that in a plane. */
    private static PlaneChoice[] with(PlaneChoice[] route, int plane, PlaneChoice choice) {
        PlaneChoice[] changed = route.clone();
        changed[upTo(route, plane).length] = choice;
        return changed;
    }
}
