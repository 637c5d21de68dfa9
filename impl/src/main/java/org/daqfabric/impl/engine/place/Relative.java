package org.daqfabric.impl.engine.place;

/** Compares relative loads, which are sums in floating point: differences within rounding are none. */
final class Relative {
    private static final double EPSILON = 1e-9;

    private Relative() {
    }

    static boolean below(double one, double other) {
        return one < other * (1 - EPSILON);
    }

    /** Compares vectors in order. */
    static int compare(double[] one, double[] other) {
        for (int i = 0; i < one.length; i++) {
            if (below(one[i], other[i])) {
                return -1;
            }
            if (below(other[i], one[i])) {
                return 1;
            }
        }
        return 0;
    }

    /** Sorts a short vector, highest first. */
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
