package org.daqfabric.impl.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.daqfabric.api.spec.Address;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of IPv4 and IPv6 are read, written, ordered and cut to prefixes. */
class AddressTest {
    private static final int CASES = 1000;

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 0.0.0.0", "10.1.2.3, 10.1.2.3", "255.255.255.255, 255.255.255.255", "::, ::", "::1, ::1",
        "fd00:0:0:0:0:0:0:1, fd00::1", "FD00::0001, fd00::1", "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1", "::ffff:a00:1, 10.0.0.1",
    })
    void hasOneCanonicalText(String text, String canonical) {
        assertThat(Address.parse(text)).hasToString(canonical).isEqualTo(Address.parse(canonical));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "10.0.0", "10.0.0.256", "10.0.0.01", "10.0.0.1/32", "10.0.0.1.", "host", ":", ":::", "fd00::1::2",
        "fd00::12345", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "fe80::1%eth0", "[fd00::1]", "1\u0660.0.0.1",
    })
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> Address.parse(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessage("'" + text + "' is not an IP address such as 10.0.0.1 or fd00::1");
    }

    @Test
    void ipv4ComesFirst() {
        List<Address> ordered = Stream.of("0.0.0.1", "9.0.0.0", "10.0.0.0", "200.0.0.0", "::1", "1::", "fd00::",
            "fd00::1", "fd00::8000:0:0:0", "fd00:0:0:1::").map(Address::parse).toList();
        assertThat(ordered.reversed().stream().sorted().toList()).isEqualTo(ordered);
        assertThat(ordered).isSortedAccordingTo(Comparator.naturalOrder());
    }

    /** Prefixes, shared bits and single bits are those of the numbers. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void hasBits(long seed) {
        Random random = new Random(seed);
        for (int count = 0; count < CASES; count++) {
            Address one = any(random);
            int bits = one.bits();
            int length = random.nextInt(bits + 1);
            BigInteger number = number(one);
            assertThat(number(one.prefix(length))).as("%s/%d", one, length)
                .isEqualTo(number.shiftRight(bits - length).shiftLeft(bits - length));
            Address other = flipped(one, length);
            assertThat(one.sharedBits(other)).as("%s and %s", one, other).isEqualTo(length);
            if (length < bits) {
                assertThat(one.isSet(length)).isEqualTo(number.testBit(bits - 1 - length))
                    .isNotEqualTo(other.isSet(length));
            }
        }
        assertThat(Address.parse("10.0.0.1").sharedBits(Address.parse("::a00:1"))).isNegative();
    }

    private static Address any(Random random) {
        return random.nextBoolean() ? Address.ofIpv4(random.nextInt())
            : new Address(random.nextLong() | Long.MIN_VALUE, random.nextLong());
    }

    /** The address with another bit at an index, and all bits before it the same; the same if the index is the end. */
    private static Address flipped(Address address, int index) {
        int below = address.bits() - 1 - index;
        return below < 0 ? address : below < Long.SIZE ? new Address(address.high(), address.low() ^ 1L << below)
            : new Address(address.high() ^ 1L << below - Long.SIZE, address.low());
    }

    private static BigInteger number(Address address) {
        return address.isIpv4() ? BigInteger.valueOf(address.low() & 0xffffffffL)
            : new BigInteger(Long.toUnsignedString(address.high())).shiftLeft(Long.SIZE)
                .or(new BigInteger(Long.toUnsignedString(address.low())));
    }
}
