package org.daqfabric.impl.openflow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LldpFrameTest {
    private static final int CASES = 20_000;

    /** A frame is standard LLDP to the last byte, so that other stations and tcpdump can read it. */
    @Test
    void frameFollowsTheStandard() {
        assertEquals("0180c200000e" + "0200000000ab" + "88cc"
            + "0207" + "04" + "0200000000ab"
            + "0403" + "07" + "3132"
            + "0602" + "000f"
            + "fe15" + "dafab1" + "01" + "646171666162726963" + "00010200000000ab"
            + "0000" + "000000",
            HexFormat.of().formatHex(new LldpFrame(0x0001_0200_0000_00abL, 12).bytes()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void framesRoundTrip(final long seed) {
        final var random = new Random(seed);
        for (int each = 0; each < CASES; each++) {
            final var frame = new LldpFrame(random.nextLong(), 1 + random.nextInt(0xfeff));
            final byte[] bytes = frame.bytes();
            assertEquals(Optional.of(frame), LldpFrame.parse(bytes));
            assertEquals(Optional.of(frame), LldpFrame.parse(Arrays.copyOf(bytes, bytes.length + random.nextInt(9))));
        }
    }

    /** No input causes an exception, and only complete frames of ours are accepted. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void garbageIsRefused(final long seed) {
        final var random = new Random(seed);
        for (int each = 0; each < CASES; each++) {
            final byte[] bytes = new byte[random.nextInt(120)];
            random.nextBytes(bytes);
            assertEquals(Optional.empty(), LldpFrame.parse(bytes));
            final byte[] damaged = new LldpFrame(random.nextLong(), 1 + random.nextInt(0xfeff)).bytes();
            assertEquals(Optional.empty(), LldpFrame.parse(Arrays.copyOf(damaged, random.nextInt(damaged.length))));
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            // a change may result in another valid frame, such as one of another port
            LldpFrame.parse(damaged).ifPresent(read -> assertArrayEquals(damaged, read.bytes()));
        }
    }

    /** A frame as lldpd sends it: with chassis, port and TTL, but without our mark. */
    @Test
    void foreignLldpIsRefused() {
        final byte[] foreign = HexFormat.of().parseHex("0180c200000e" + "0200000000ab" + "88cc"
            + "0207040200000000ab" + "040405657468" + "30" + "06020078" + "0a0673776974" + "6368" + "0000");
        assertEquals(Optional.empty(), LldpFrame.parse(foreign));
        assertEquals(Optional.empty(), LldpFrame.parse(Arrays.copyOf(foreign, 64)));
    }

    @Test
    void invalidPortsAreRefused() {
        for (int port : new int[] { 0, -1, 0xff00, 99_999 }) {
            assertEquals(Optional.empty(), LldpFrame.parse(new LldpFrame(1, port).bytes()));
        }
    }
}
