package org.daqfabric.impl.users;

import java.util.Locale;

/** The tables of AAA, in the order in which rows are written: each names only what comes before it. */
enum Kind {
    DOMAIN, ROLE, USER, GRANT;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Kind of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
