package org.daqfabric.impl.ovsdb;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.daqfabric.api.state.RingDrops;

/** Reads the episode of drops that a daqring holds back, from the column {@code status} of its Interface row. */
final class DropStatus {
    /** Longer than any that Open vSwitch writes: 601 numbers of at most 7 digits. */
    private static final int LONGEST = 8192;
    private static final Pattern VALUE = Pattern.compile("\\d{1,7}(\\*\\d{1,4})?");
    /** The end of the year 9999, the last that a date-and-time of YANG can express. */
    private static final long LAST_MILLI = 253_402_300_799_999L;

    private DropStatus() {
    }

    /** Empty if there is none, or what is there is not what a daqring writes. */
    static Optional<RingDrops> of(Map<String, String> status) {
        String occupancy = status.get("drop_occupancy");
        if (occupancy == null || occupancy.length() > LONGEST
                || !Pattern.compile(" ").splitAsStream(occupancy).allMatch(VALUE.asMatchPredicate())) {
            return Optional.empty();
        }
        try {
            return Optional.of(new RingDrops(
                Instant.ofEpochMilli(number(status, "drop_time", LAST_MILLI)),
                Duration.ofMillis(number(status, "drop_duration", LAST_MILLI)),
                number(status, "drop_packets", Long.MAX_VALUE), number(status, "drop_peak", Integer.MAX_VALUE),
                (int) number(status, "drop_before", 9999), occupancy));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static long number(Map<String, String> status, String key, long most) {
        long value = Long.parseLong(status.getOrDefault(key, ""));
        if (value < 0 || value > most) {
            throw new NumberFormatException(key);
        }
        return value;
    }
}
