package org.daqfabric.impl.metrics;

import java.util.Locale;

/** How values and labels are told. */
final class LabelText {
    private LabelText() {
    }

    /** As YANG spells it: {@code HLT_RACK} is {@code hlt-rack}. */
    static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Bytes per second of Gbps. */
    static double bytes(double gbps) {
        return gbps * 1e9 / 8;
    }

    static String of(int number) {
        return Integer.toString(number);
    }
}
