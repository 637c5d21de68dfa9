package org.daqfabric.impl.engine.doctor;

import java.util.Locale;

/** Whether one name may be a misspelling of another. */
final class NameSimilarity {
    private static final int MAX_DISTANCE = 1;

    private NameSimilarity() {
    }

    static boolean of(String one, String other) {
        String a = normalised(one);
        String b = normalised(other);
        return a.equals(b) || Math.min(a.length(), b.length()) > 2 && editDistance(a, b) <= MAX_DISTANCE
            && sameDigits(a, b);
    }

    /** Without the parts that people leave out or add: the domain, upper case, separators. */
    private static String normalised(String name) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        int domain = lower.indexOf('.');
        return (domain > 0 ? lower.substring(0, domain) : lower).replaceAll("[-_: ]", "");
    }

    /** Digits number the switches: p1s1 is not a misspelling of p1s2. */
    private static boolean sameDigits(String a, String b) {
        return a.replaceAll("[^0-9]", "").equals(b.replaceAll("[^0-9]", ""));
    }

    /** Letters to change, add or leave out (Levenshtein distance). */
    private static int editDistance(String a, String b) {
        int[] before = new int[b.length() + 1];
        for (int at = 0; at <= b.length(); at++) {
            before[at] = at;
        }
        for (int row = 1; row <= a.length(); row++) {
            int[] now = new int[b.length() + 1];
            now[0] = row;
            for (int at = 1; at <= b.length(); at++) {
                int change = before[at - 1] + (a.charAt(row - 1) == b.charAt(at - 1) ? 0 : 1);
                now[at] = Math.min(change, 1 + Math.min(before[at], now[at - 1]));
            }
            before = now;
        }
        return before[b.length()];
    }
}
