package org.daqfabric.impl.engine.place;

import java.util.Arrays;

/**
 * Finds out where addresses would best go if something failed: takes them out, fills them in with what would be left,
 * and puts everything back.
 */
final class FailureRehearsal {
    private final PlacementState loading;
    private final Waterfill fill;
    private final boolean keep;

    FailureRehearsal(PlacementState loading, Waterfill fill, boolean keep) {
        this.loading = loading;
        this.fill = fill;
        this.keep = keep;
    }

    /**
     * Rehearses a failure.
     *
     * @param sinks those that would have to move
     * @param choices what each may choose from, not empty
     * @param kept what each had chosen before, null if nothing; it stays if it is a choice and, unless all is to be
     *     kept, the highest load is no higher for it; if all is to be kept, the plane stays where the spine cannot, for
     *     an edge switch only knows planes
     * @param plane where it fails: the stage in it is what they choose anew
     */
    PlaneChoice[] run(int[] sinks, PlaneChoices[] choices, PlaneChoice[] kept, int plane) {
        PlaneChoice[] chosen = new PlaneChoice[kept.length];
        int open = 0;
        for (int i = 0; i < kept.length; i++) {
            chosen[i] = kept[i] != null && choices[i].has(kept[i]) ? kept[i] : null;
            open += chosen[i] == null ? 1 : 0;
        }
        if (open > 0) {
            fill(sinks, keep ? withinPlanes(choices, kept, chosen) : choices, chosen, plane);
        }
        if (keep || open == kept.length) {
            return chosen;
        }
        PlaneChoice[] fresh = new PlaneChoice[kept.length];
        fill(sinks, choices, fresh, plane);
        return RelativeLoad.below(highest(sinks, fresh, plane), highest(sinks, chosen, plane)) ? fresh : chosen;
    }

    private static PlaneChoices[] withinPlanes(PlaneChoices[] choices, PlaneChoice[] kept, PlaneChoice[] chosen) {
        PlaneChoices[] within = choices.clone();
        for (int i = 0; i < kept.length; i++) {
            if (kept[i] != null && chosen[i] == null) {
                within[i] = choices[i].within(kept[i].plane());
            }
        }
        return within;
    }

    /** Makes the choices still open. */
    private void fill(int[] sinks, PlaneChoices[] choices, PlaneChoice[] chosen, int plane) {
        PlaneChoice[][] ways = takeOut(sinks);
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i] != null) {
                loading.put(sinks[i], with(ways[i], plane, chosen[i]));
            }
        }
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i] == null) {
                chosen[i] = fill.best(sinks[i], before(ways[i], plane), choices[i], null);
                loading.put(sinks[i], with(ways[i], plane, chosen[i]));
            }
        }
        putBack(sinks, ways);
    }

    /** The highest load there would be. */
    private double highest(int[] sinks, PlaneChoice[] chosen, int plane) {
        PlaneChoice[][] ways = takeOut(sinks);
        for (int i = 0; i < chosen.length; i++) {
            loading.put(sinks[i], with(ways[i], plane, chosen[i]));
        }
        double highest = loading.highest();
        putBack(sinks, ways);
        return highest;
    }

    private PlaneChoice[][] takeOut(int[] sinks) {
        PlaneChoice[][] ways = new PlaneChoice[sinks.length][];
        for (int i = 0; i < ways.length; i++) {
            ways[i] = loading.take(sinks[i]);
        }
        return ways;
    }

    private void putBack(int[] sinks, PlaneChoice[][] ways) {
        for (int i = 0; i < ways.length; i++) {
            loading.take(sinks[i]);
            loading.put(sinks[i], ways[i]);
        }
    }

    private static PlaneChoice[] before(PlaneChoice[] way, int plane) {
        int at = 0;
        while (way[at].plane() != plane) {
            at++;
        }
        return at == 0 ? PlaneChoice.NOWHERE : Arrays.copyOf(way, at);
    }

    private static PlaneChoice[] with(PlaneChoice[] way, int plane, PlaneChoice stage) {
        PlaneChoice[] changed = way.clone();
        changed[before(way, plane).length] = stage;
        return changed;
    }
}
