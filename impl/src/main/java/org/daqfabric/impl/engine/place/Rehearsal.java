package org.daqfabric.impl.engine.place;

import java.util.Arrays;
import java.util.List;

/**
 * Finds out where addresses would best go if something failed: takes them out, fills them in with what would be left,
 * and puts everything back.
 */
final class Rehearsal {
    private final Loading loading;
    private final Waterfill fill;
    private final boolean keep;

    Rehearsal(Loading loading, Waterfill fill, boolean keep) {
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
     *     kept, the highest load is no higher for it
     * @param plane where it fails: the stage in it is what they choose anew
     */
    Stage[] run(List<Integer> sinks, List<List<Stage>> choices, Stage[] kept, int plane) {
        Stage[] chosen = new Stage[kept.length];
        boolean any = false;
        for (int i = 0; i < kept.length; i++) {
            chosen[i] = kept[i] != null && choices.get(i).contains(kept[i]) ? kept[i] : null;
            any |= chosen[i] != null;
        }
        double highest = fill(sinks, choices, chosen, plane);
        if (keep || !any) {
            return chosen;
        }
        Stage[] fresh = new Stage[kept.length];
        return Relative.below(fill(sinks, choices, fresh, plane), highest) ? fresh : chosen;
    }

    /** Makes the choices still open; returns the highest load there would be. */
    private double fill(List<Integer> sinks, List<List<Stage>> choices, Stage[] chosen, int plane) {
        Stage[][] ways = new Stage[chosen.length][];
        for (int i = 0; i < chosen.length; i++) {
            ways[i] = loading.take(sinks.get(i));
        }
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i] != null) {
                loading.put(sinks.get(i), with(ways[i], plane, chosen[i]));
            }
        }
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i] == null) {
                chosen[i] = fill.best(sinks.get(i), before(ways[i], plane), choices.get(i), null);
                loading.put(sinks.get(i), with(ways[i], plane, chosen[i]));
            }
        }
        double highest = keep ? 0 : loading.highest();
        for (int i = 0; i < chosen.length; i++) {
            loading.take(sinks.get(i));
            loading.put(sinks.get(i), ways[i]);
        }
        return highest;
    }

    private static Stage[] before(Stage[] way, int plane) {
        int at = 0;
        while (way[at].plane() != plane) {
            at++;
        }
        return at == 0 ? Stage.NOWHERE : Arrays.copyOf(way, at);
    }

    private static Stage[] with(Stage[] way, int plane, Stage stage) {
        Stage[] changed = way.clone();
        changed[before(way, plane).length] = stage;
        return changed;
    }
}
