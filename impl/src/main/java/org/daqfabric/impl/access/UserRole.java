package org.daqfabric.impl.access;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** What a user may do; each role may do what those before it may. */
public enum UserRole {
    /** Metrics. */
    SCRAPER,
    /** Reads what concerns fabrics. */
    VIEWER,
    /** Changes fabrics, and calls rpcs. */
    OPERATOR,
    /** Everything; a role of OpenDaylight's own. */
    ADMIN;

    /** As AAA and Karaf know it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<UserRole> of(String text) {
        return Arrays.stream(values()).filter(role -> role.text().equals(text)).findFirst();
    }

    /**
     * The highest role of a user.
     *
     * @param has whether the user has the role of this name
     * @return empty if the user has roles of others alone, which are not limited here
     */
    public static Optional<UserRole> highest(Predicate<String> has) {
        return Arrays.stream(values()).filter(role -> has.test(role.text())).max(Comparator.naturalOrder());
    }

    /** Whether users of this role may change anything. */
    public boolean mayChange() {
        return includes(OPERATOR);
    }

    boolean includes(UserRole other) {
        return compareTo(other) >= 0;
    }
}
