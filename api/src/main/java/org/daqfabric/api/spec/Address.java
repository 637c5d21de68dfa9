package org.daqfabric.api.spec;

import com.google.common.base.CharMatcher;
import com.google.common.net.InetAddresses;
import com.google.common.primitives.Ints;
import com.google.common.primitives.Longs;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * An IP address of a ROS, DCM or other host, IPv4 or IPv6. Ordered as an unsigned number, IPv4 before IPv6.
 *
 * <p>An IPv4 address is held as the IPv6 address that stands for it, such as ::ffff:10.0.0.1 (RFC 4291, section
 * 2.5.5.2), which no host has as its own. So there is one arithmetic for both.
 *
 * @param high the upper 64 bits
 * @param low the lower 64 bits
 */
public record Address(long high, long low) implements Comparable<Address> {
    private static final int BITS = 128;
    private static final int IPV4_BITS = 32;
    /** What an address that stands for one of IPv4 has above its four octets. */
    private static final long IPV4 = 0xffff;

    /** The IPv4 address with these octets, the first in the highest byte. */
    public static Address ofIpv4(int octets) {
        return new Address(0, IPV4 << IPV4_BITS | Integer.toUnsignedLong(octets));
    }

    /**
     * Reads dotted-quad notation, or hexadecimal groups between colons as of RFC 4291.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public static Address parse(String text) {
        // the library also reads digits of other alphabets, and zones
        if (!CharMatcher.ascii().matchesAllOf(text) || text.indexOf('%') >= 0 || !InetAddresses.isInetAddress(text)) {
            throw new IllegalArgumentException("'" + text + "' is not an IP address such as 10.0.0.1 or fd00::1");
        }
        byte[] bytes = InetAddresses.forString(text).getAddress();
        return bytes.length == Integer.BYTES ? ofIpv4(Ints.fromByteArray(bytes))
            : new Address(Longs.fromByteArray(bytes),
                Longs.fromByteArray(Arrays.copyOfRange(bytes, Long.BYTES, bytes.length)));
    }

    public boolean isIpv4() {
        return high == 0 && low >>> IPV4_BITS == IPV4;
    }

    /** How many bits such an address has: 32 or 128. */
    public int bits() {
        return isIpv4() ? IPV4_BITS : BITS;
    }

    /** The first address of the prefix of a length that contains this one; itself if the length is that of all bits. */
    public Address prefix(int length) {
        int free = bits() - length;
        return free <= 0 ? this : free < Long.SIZE ? new Address(high, low & -1L << free)
            : new Address(free == BITS ? 0 : high & -1L << free - Long.SIZE, 0);
    }

    /** How many leading bits two addresses share; -1 if one of them is IPv4 and the other IPv6. */
    public int sharedBits(Address other) {
        if (isIpv4() != other.isIpv4()) {
            return -1;
        }
        int shared = high == other.high ? Long.SIZE + Long.numberOfLeadingZeros(low ^ other.low)
            : Long.numberOfLeadingZeros(high ^ other.high);
        return shared - (BITS - bits());
    }

    /** Whether a bit is 1; the highest is bit 0. */
    public boolean isSet(int bit) {
        int below = bits() - 1 - bit;
        return ((below < Long.SIZE ? low >>> below : high >>> below - Long.SIZE) & 1) == 1;
    }

    @Override
    public int compareTo(Address other) {
        int order = Boolean.compare(other.isIpv4(), isIpv4());
        order = order != 0 ? order : Long.compareUnsigned(high, other.high);
        return order != 0 ? order : Long.compareUnsigned(low, other.low);
    }

    /** Dotted-quad, or as of RFC 5952. */
    @Override
    public String toString() {
        return InetAddresses.toAddrString(isIpv4() ? InetAddresses.fromInteger((int) low)
            : InetAddresses.fromIPv6BigInteger(new BigInteger(1, Longs.toByteArray(high)).shiftLeft(Long.SIZE)
                .or(new BigInteger(1, Longs.toByteArray(low)))));
    }
}
