package org.daqfabric.impl.metrics;

import java.util.Locale;

/** Values of labels. */
final class Texts {
    private Texts() {
    }

    /** As YANG spells it: {@code HLT_RACK} is {@code hlt-rack}. */
    static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String of(int number) {
        return Integer.toString(number);
    }
}
