package org.daqfabric.impl.metrics;

import java.util.Locale;

/** Texts of labels, and values in the units of Prometheus. */
final class LabelText {
    private LabelText() {
    }

    /** As YANG spells it: {@code HLT_RACK} is {@code hlt-rack}. */
    static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Converts Gbps to bytesPerSecond per second. */
    static double bytesPerSecond(double gbps) {
        return gbps * 1e9 / 8;
    }

    static String of(long number) {
        return Long.toString(number);
    }
}
