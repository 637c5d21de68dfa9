package org.daqfabric.api.spec;

import java.util.regex.Pattern;

/**
 * An Ethernet address.
 *
 * @param bits the six octets in the lower 48 bits
 */
public record Mac(long bits) implements Comparable<Mac> {
    private static final Pattern FORM = Pattern.compile("\\p{XDigit}{2}(:\\p{XDigit}{2}){5}");

    /**
     * Reads colon-separated notation.
     *
     * @throws IllegalArgumentException if the text is no Ethernet address
     */
    public static Mac parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not an Ethernet address such as 02:00:00:00:00:01");
        }
        return new Mac(Long.parseLong(text.replace(":", ""), 16));
    }

    @Override
    public int compareTo(Mac other) {
        return Long.compare(bits, other.bits);
    }

    @Override
    public String toString() {
        return "%02x:%02x:%02x:%02x:%02x:%02x".formatted(bits >>> 40 & 255, bits >>> 32 & 255, bits >>> 24 & 255,
            bits >>> 16 & 255, bits >>> 8 & 255, bits & 255);
    }
}
