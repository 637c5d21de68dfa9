package org.daqfabric.impl.engine.planning;

import java.math.BigDecimal;
import org.daqfabric.impl.engine.check.InvalidInputException;

/** Ranges of inputs, which are those of the YANG module. */
final class Range {
    private Range() {
    }

    static void check(String leaf, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidInputException(leaf, value + " is out of range: " + least + " to " + most);
        }
    }

    static void check(String leaf, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new InvalidInputException(leaf, text(value) + " is out of range: " + text(least) + " to "
                + text(most));
        }
    }

    private static String text(double value) {
        return Double.isFinite(value) ? new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString()
            : String.valueOf(value);
    }
}
