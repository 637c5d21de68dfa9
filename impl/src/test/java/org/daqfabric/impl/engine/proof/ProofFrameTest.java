package org.daqfabric.impl.engine.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.daqfabric.api.program.ProofAddress;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Mac;
import org.junit.jupiter.api.Test;

/** The packets that prove paths are valid IP and UDP, as far as a host or card may check. */
class ProofFrameTest {
    private static final Mac MAC = new Mac(0x06da00010002L);
    private static final List<Address> DESTINATIONS = List.of(Address.parse("10.2.1.3"), Address.parse("fd00::1:3"));

    @Test
    void framesAreReadAsTheyWereWritten() {
        for (Address to : DESTINATIONS) {
            for (int size : List.of(0, 1499, 1500, 9000)) {
                byte[] bytes = new ProofFrame(-7, 123456789L << 20).bytes(MAC, MAC, to, size);
                assertThat(ProofFrame.parse(bytes)).contains(new ProofFrame(-7, 123456789L << 20));
                assertThat(ProofFrame.parse(Arrays.copyOf(bytes, bytes.length + 4))).isPresent();
                assertThat(bytes.length).isGreaterThanOrEqualTo(Math.max(60, 14 + size));
            }
        }
    }

    @Test
    void theSmallestIsTheSmallestOfEthernet() {
        assertThat(new ProofFrame(1, 1).bytes(MAC, MAC, DESTINATIONS.get(0), 0)).hasSize(60);
    }

    /** The ones' complement sum over what a checksum covers, with the checksum, is all ones (RFC 1071). */
    @Test
    void checksumsAreRight() {
        for (int size : List.of(0, 77, 1500)) {
            byte[] bytes = new ProofFrame(1, 2).bytes(MAC, MAC, DESTINATIONS.get(0), size);
            assertThat(sum(bytes, 14, 20, 0)).isEqualTo(0xffff);
            assertThat(sum(bytes, 34, bytes.length - 34, sum(bytes, 26, 8, 17 + bytes.length - 34)))
                .isEqualTo(0xffff);
            byte[] six = new ProofFrame(1, 2).bytes(MAC, MAC, DESTINATIONS.get(1), size);
            assertThat(sum(six, 54, six.length - 54, sum(six, 22, 32, 17 + six.length - 54))).isEqualTo(0xffff);
        }
    }

    private static int sum(byte[] bytes, int begin, int length, int before) {
        ByteBuffer words = ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + 1));
        int sum = before;
        for (int at = begin; at < begin + length; at += 2) {
            sum += Short.toUnsignedInt(words.getShort(at)) & (at + 1 < begin + length ? 0xffff : 0xff00);
        }
        while (sum > 0xffff) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return sum;
    }

    @Test
    void othersPacketsAreNone() {
        assertThat(ProofFrame.parse(new byte[0])).isEmpty();
        assertThat(ProofFrame.parse(new byte[1500])).isEmpty();
        byte[] bytes = new ProofFrame(1, 2).bytes(MAC, MAC, DESTINATIONS.get(0), 0);
        bytes[26] = 10; // another source
        assertThat(ProofFrame.parse(bytes)).isEmpty();
        assertThat(ProofAddress.to(DESTINATIONS.get(1))).isEqualTo(ProofAddress.IPV6);
    }
}
