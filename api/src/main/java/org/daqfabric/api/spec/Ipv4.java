package org.daqfabric.api.spec;

import java.util.regex.Pattern;

/**
 * An IPv4 address, one per DCM and per ROS (a /32). Ordered as an unsigned number.
 *
 * @param bits the four octets, the first in the highest byte
 */
public record Ipv4(int bits) implements Comparable<Ipv4> {
    private static final Pattern FORM = Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");

    /**
     * Reads dotted-quad notation.
     *
     * @throws IllegalArgumentException if the text is no IPv4 address
     */
    public static Ipv4 parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not an IPv4 address such as 10.0.0.1");
        }
        int bits = 0;
        for (String octet : text.split("\\.")) {
            int value = Integer.parseInt(octet);
            if (value > 255) {
                throw new IllegalArgumentException("'" + text + "' has an octet above 255");
            }
            bits = bits << 8 | value;
        }
        return new Ipv4(bits);
    }

    /** The first address of the prefix of a length that contains this one. */
    public Ipv4 prefix(int length) {
        return length == 32 ? this : new Ipv4(length == 0 ? 0 : bits & -1 << 32 - length);
    }

    @Override
    public int compareTo(Ipv4 other) {
        return Integer.compareUnsigned(bits, other.bits);
    }

    @Override
    public String toString() {
        return (bits >>> 24) + "." + (bits >>> 16 & 255) + "." + (bits >>> 8 & 255) + "." + (bits & 255);
    }
}
