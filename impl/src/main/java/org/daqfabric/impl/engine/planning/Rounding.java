package org.daqfabric.impl.engine.planning;

/** Rounding that does not let the last bit of a double decide. */
final class Rounding {
    private static final double TOLERANCE = 1e-9;

    private Rounding() {
    }

    static long up(double value) {
        return (long) Math.ceil(value * (1 - TOLERANCE));
    }

    /** Whether a value is at least another. */
    static boolean reaches(double value, double other) {
        return value >= other * (1 - TOLERANCE);
    }
}
