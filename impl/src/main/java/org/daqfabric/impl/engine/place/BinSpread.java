package org.daqfabric.impl.engine.place;

import java.util.Arrays;

/** Spreads addresses (items) over parallel links or spines (bins) so that the fullest bin is as empty as possible. */
final class BinSpread {
    private BinSpread() {
    }

    /**
     * Gives every item a bin. Items that had one keep it; each of the others, one after the other, gets the bin that is
     * least full with it relative to its capacity, of equals the first.
     *
     * @param weights of the items, heaviest first where they differ
     * @param capacities of the bins, at least one, above 0
     * @param before per item the bin it had, -1 for none
     * @param keepAll whether items keep their bins even if a fresh spread were better by the heaviest item or more
     */
    static int[] spread(double[] weights, double[] capacities, int[] before, boolean keepAll) {
        int[] none = new int[before.length];
        Arrays.fill(none, -1);
        int[] keeping = fill(weights, capacities, before);
        if (keepAll || Arrays.equals(none, before)) {
            return keeping;
        }
        int[] fresh = fill(weights, capacities, none);
        double heaviest = Arrays.stream(weights).max().orElse(0);
        double loadOfHeaviest = Arrays.stream(capacities).map(capacity -> heaviest / capacity).max().orElse(0);
        double excess = fullest(keeping, weights, capacities) - fullest(fresh, weights, capacities);
        return excess < loadOfHeaviest * 0.999 ? keeping : fresh;
    }

    /**
     * The same for items of equal weight and bins of equal capacity, without comparing every bin for every item, as
     * there may be hundreds of spines.
     *
     * @param binCount at least 1
     */
    static int[] spread(int binCount, int[] before, boolean keepAll) {
        int[] keeping = before.clone();
        fillByCount(keeping, binCount);
        if (keepAll || Arrays.stream(before).allMatch(bin -> bin < 0)) {
            return keeping;
        }
        int[] fresh = new int[before.length];
        Arrays.fill(fresh, -1);
        fillByCount(fresh, binCount);
        return mostItems(keeping, binCount) > mostItems(fresh, binCount) ? fresh : keeping;
    }

    private static int mostItems(int[] bins, int binCount) {
        int[] items = new int[binCount];
        for (int bin : bins) {
            items[bin]++;
        }
        return Arrays.stream(items).max().orElse(0);
    }

    private static int[] fill(double[] weights, double[] capacities, int[] before) {
        int[] bins = before.clone();
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

    /** Goes over the bins in rounds; each round fills those with fewest items by one. */
    private static void fillByCount(int[] bins, int binCount) {
        int[] items = new int[binCount];
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
                level += bin + 1 == binCount ? 1 : 0;
                bin = (bin + 1) % binCount;
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
