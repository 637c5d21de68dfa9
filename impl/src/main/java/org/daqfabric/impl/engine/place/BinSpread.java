package org.daqfabric.impl.engine.place;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/** Spreads items over bins so that the fullest bin, relative to its capacity, is as empty as it gets. */
final class BinSpread {
    private BinSpread() {
    }

    /**
     * Gives every item a bin: first those that keep theirs, then the others, each the bin least full with it, the first
     * of equals.
     *
     * @param weights of the items, heaviest first where they differ
     * @param capacities of the bins, at least one, above 0
     * @param kept per item the bin it had, -1 for none
     * @param all whether items keep their bins even if the spread is worse for it by more than the heaviest item
     */
    static int[] spread(double[] weights, double[] capacities, int[] kept, boolean all) {
        int[] none = new int[kept.length];
        Arrays.fill(none, -1);
        int[] keeping = fill(weights, capacities, kept);
        if (all || Arrays.equals(none, kept)) {
            return keeping;
        }
        int[] fresh = fill(weights, capacities, none);
        double heaviest = Arrays.stream(weights).max().orElse(0);
        DoubleUnaryOperator excess = capacity -> heaviest / capacity;
        double most = Arrays.stream(capacities).map(excess).max().orElse(0);
        return fullest(keeping, weights, capacities) - fullest(fresh, weights, capacities) < most * 0.999 ? keeping
            : fresh;
    }

    /** The same for items and bins that are all alike: each of the others goes to the first of the bins with fewest. */
    static int[] spread(int count, int[] kept, boolean all) {
        int[] keeping = kept.clone();
        count(keeping, count);
        if (all || Arrays.stream(kept).allMatch(bin -> bin < 0)) {
            return keeping;
        }
        int[] fresh = new int[kept.length];
        Arrays.fill(fresh, -1);
        count(fresh, count);
        return most(keeping, count) > most(fresh, count) ? fresh : keeping;
    }

    private static int most(int[] bins, int count) {
        int[] items = new int[count];
        for (int bin : bins) {
            items[bin]++;
        }
        return Arrays.stream(items).max().orElse(0);
    }

    private static int[] fill(double[] weights, double[] capacities, int[] kept) {
        int[] bins = kept.clone();
        double[] loads = new double[capacities.length];
        for (int item = 0; item < bins.length; item++) {
            if (bins[item] >= 0) {
                loads[bins[item]] += weights[item];
            }
        }
        for (int item = 0; item < bins.length; item++) {
            if (bins[item] < 0) {
                int best = 0;
                for (int bin = 1; bin < loads.length; bin++) {
                    if (RelativeLoad.below((loads[bin] + weights[item]) / capacities[bin],
                        (loads[best] + weights[item]) / capacities[best])) {
                        best = bin;
                    }
                }
                bins[item] = best;
                loads[best] += weights[item];
            }
        }
        return bins;
    }

    /** The bins with fewest items come first, in their order; without a search, as spines are many. */
    private static void count(int[] bins, int count) {
        int[] items = new int[count];
        for (int bin : bins) {
            if (bin >= 0) {
                items[bin]++;
            }
        }
        int level = Arrays.stream(items).min().orElse(0);
        int bin = 0;
        for (int item = 0; item < bins.length; item++) {
            while (bins[item] < 0) {
                if (items[bin] <= level) {
                    items[bin]++;
                    bins[item] = bin;
                }
                level += bin + 1 == count ? 1 : 0;
                bin = (bin + 1) % count;
            }
        }
    }

    private static double fullest(int[] bins, double[] weights, double[] capacities) {
        double[] loads = new double[capacities.length];
        double fullest = 0;
        for (int item = 0; item < bins.length; item++) {
            loads[bins[item]] += weights[item];
            fullest = Math.max(fullest, loads[bins[item]] / capacities[bins[item]]);
        }
        return fullest;
    }
}
