package org.daqfabric.impl.engine.proof;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.ProofAddress;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Mac;

/**
 * The packet that proves a path: UDP over IP (RFC 768, 791, 8200), from an address that no host has to one that data
 * goes to, with the number by which its sender knows it.
 *
 * @param sender the sender's own number, by which it ignores packets of others
 * @param id the packet's
 */
public record ProofFrame(long sender, long id) {
    private static final int ETHERNET = 14;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int UDP_HEADER = 8;
    /** Discard (RFC 863): a host that receives such a packet has nothing to do with it. */
    private static final int PORT = 9;
    private static final int UDP = 17;
    private static final int HOPS = 64;
    /** The first bytes of what UDP carries. */
    private static final short MARK = (short) 0xdaf0;
    private static final int PAYLOAD = Short.BYTES + 2 * Long.BYTES;
    /** The smallest Ethernet frame, without its check sequence. */
    private static final int SMALLEST = 60;
    /** The largest IP packet where nothing else is configured: that of Ethernet. */
    public static final int USUAL_MTU = 1500;

    /**
     * The frame.
     *
     * @param mac its Ethernet destination
     * @param from its Ethernet source
     * @param size bytes of the IP packet; it is larger if what it must hold is
     */
    public byte[] bytes(Mac mac, Mac from, Address to, int size) {
        boolean four = to.isIpv4();
        int header = four ? IPV4_HEADER : IPV6_HEADER;
        int length = Math.max(Math.max(size, SMALLEST - ETHERNET), header + UDP_HEADER + PAYLOAD);
        ByteBuffer frame = ByteBuffer.allocate(ETHERNET + length);
        put(frame, mac);
        put(frame, from);
        frame.putShort((short) (four ? Match.IPV4 : Match.IPV6));
        Address source = ProofAddress.to(to);
        if (four) {
            frame.putShort((short) 0x4500).putShort((short) length).putInt(0).put((byte) HOPS).put((byte) UDP)
                .putShort((short) 0).putInt((int) source.low()).putInt((int) to.low());
            frame.putShort(ETHERNET + 10, (short) ~sum(frame, ETHERNET, IPV4_HEADER, 0));
        } else {
            frame.putInt(0x60000000).putShort((short) (length - header)).put((byte) UDP).put((byte) HOPS)
                .putLong(source.high()).putLong(source.low()).putLong(to.high()).putLong(to.low());
        }
        int udp = frame.position();
        frame.putShort((short) PORT).putShort((short) PORT).putShort((short) (length - header)).putShort((short) 0)
            .putShort(MARK).putLong(sender).putLong(id);
        // over the addresses, the protocol and the length too (RFC 768; RFC 8200, section 8.1)
        int addresses = four ? 8 : 32;
        int before = sum(frame, udp - addresses, addresses, UDP + length - header);
        int check = ~sum(frame, udp, UDP_HEADER + PAYLOAD, before); // what comes after is zero
        frame.putShort(udp + 6, (short) ((check & 0xffff) == 0 ? 0xffff : check));
        return frame.array();
    }

    /** Reads a frame; empty if it is none of these. Padding does not matter. */
    public static Optional<ProofFrame> parse(byte[] bytes) {
        ByteBuffer frame = ByteBuffer.wrap(bytes);
        if (bytes.length < ETHERNET + IPV4_HEADER + UDP_HEADER + PAYLOAD) {
            return Optional.empty();
        }
        boolean four = Short.toUnsignedInt(frame.getShort(12)) == Match.IPV4;
        int udp = ETHERNET + (four ? IPV4_HEADER : IPV6_HEADER);
        if (bytes.length < udp + UDP_HEADER + PAYLOAD || !isFromProver(frame, four)
                || frame.getShort(udp + UDP_HEADER) != MARK) {
            return Optional.empty();
        }
        int numbers = udp + UDP_HEADER + Short.BYTES;
        return Optional.of(new ProofFrame(frame.getLong(numbers), frame.getLong(numbers + Long.BYTES)));
    }

    private static boolean isFromProver(ByteBuffer frame, boolean four) {
        return four ? frame.get(ETHERNET) == 0x45 && frame.getInt(ETHERNET + 12) == (int) ProofAddress.IPV4.low()
            : frame.getLong(ETHERNET + 8) == ProofAddress.IPV6.high()
                && frame.getLong(ETHERNET + 16) == ProofAddress.IPV6.low();
    }

    private static void put(ByteBuffer frame, Mac mac) {
        frame.putShort((short) (mac.bits() >>> Integer.SIZE)).putInt((int) mac.bits());
    }

    /** The sum of 16-bit words in ones' complement (RFC 1071). */
    private static int sum(ByteBuffer frame, int begin, int length, int before) {
        int sum = before;
        for (int at = begin; at + 1 < begin + length; at += 2) {
            sum += Short.toUnsignedInt(frame.getShort(at));
        }
        if (length % 2 != 0) {
            sum += Byte.toUnsignedInt(frame.get(begin + length - 1)) << 8;
        }
        while (sum > 0xffff) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return sum;
    }
}
