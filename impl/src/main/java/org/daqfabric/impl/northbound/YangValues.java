package org.daqfabric.impl.northbound;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.opendaylight.yangtools.yang.common.Decimal64;

/** Values between the records of the application and the types of the YANG modules. */
final class YangValues {
    private YangValues() {
    }

    /** Rounded half up. */
    static Decimal64 decimal(double value, int digits) {
        return Decimal64.valueOf(BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP)).scaleTo(digits);
    }

    /** Null, which leaves the leaf out, for an empty text. */
    static String absent(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Names of a leaf-list, none if it is left out. */
    static SortedSet<String> sorted(Set<String> names) {
        return names == null ? new TreeSet<>() : new TreeSet<>(names);
    }
}
