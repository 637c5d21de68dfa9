package org.daqfabric.impl.cli;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Formats numbers and times. */
final class NumberText {
    private NumberText() {
    }

    /** Rounds half up to that many decimal places; a value that is not finite gives 0. */
    static double round(double value, int digits) {
        return Double.isFinite(value) ? BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP).doubleValue()
            : 0;
    }

    static String gbps(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    static String percent(double ratio) {
        return String.format(Locale.ROOT, "%.0f %%", ratio * 100);
    }

    static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    static double millis(Instant from, Instant to) {
        return round(Duration.between(from, to).toNanos() / 1e6, 1);
    }
}
