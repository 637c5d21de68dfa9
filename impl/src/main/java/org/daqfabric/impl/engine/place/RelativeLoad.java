package org.daqfabric.impl.engine.place;

/** Compares relative loads. They are sums in floating point, so differences within rounding count as equal. */
final class RelativeLoad {
    static final double EPSILON = 1e-9;

    private RelativeLoad() {
    }

    static boolean below(double one, double other) {
        return one < other * (1 - EPSILON);
    }

    static int compare(double one, double other) {
        return below(one, other) ? -1 : below(other, one) ? 1 : 0;
    }

    /** Compares element by element; the first difference decides. */
    static int compare(double[] one, double[] other) {
        int order = 0;
        for (int i = 0; order == 0 && i < one.length; i++) {
            order = compare(one[i], other[i]);
        }
        return order;
    }

    /** Sorts a short array, highest first, in place: insertion sort. */
    static void sort(double[] loads) {
        for (int i = 1; i < loads.length; i++) {
            for (int j = i; j > 0 && loads[j] > loads[j - 1]; j--) {
                double load = loads[j];
                loads[j] = loads[j - 1];
                loads[j - 1] = load;
            }
        }
    }
}
