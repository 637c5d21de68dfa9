package org.daqfabric.impl.openflow;

import com.google.common.primitives.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The LLDP frame (IEEE 802.1AB) by which a port identifies itself. Besides the three TLVs that every LLDP frame has, it
 * carries one of ours, with a mark that other stations' LLDP does not have, and with the whole datapath-id.
 *
 * @param port OpenFlow number
 */
record LldpFrame(long datapathId, int port) {
    /** Bridges do not forward frames to this address, so only the other end of the cable receives one. */
    private static final long NEAREST_BRIDGE = 0x0180c200000eL;
    private static final int ETHER_TYPE = 0x88cc;
    private static final int MAC_LENGTH = 6;
    private static final int MIN_LENGTH = 60;
    private static final int MAX_PORT = 0xfeff;

    private static final int CHASSIS_ID = 1;
    private static final int CHASSIS_IS_MAC = 4;
    private static final int PORT_ID = 2;
    private static final int PORT_IS_LOCAL = 7;
    private static final int TTL = 3;
    private static final int TTL_SECONDS = 15;
    private static final int ORGANIZATION_SPECIFIC = 127;
    /** A locally administered OUI, a subtype and a name. */
    private static final byte[] MARK = Bytes.concat(
        new byte[] {(byte) 0xda, (byte) 0xfa, (byte) 0xb1, 1}, "daqfabric".getBytes(StandardCharsets.US_ASCII));
    /** Where the TLV of the port begins. */
    private static final int PORT_AT = 2 * MAC_LENGTH + 2 + 2 + 1 + MAC_LENGTH;
    private static final int PORT_TEXT_AT = PORT_AT + 2 + 1;
    /** From the end of the port's text to the datapath-id: the TTL and the beginning of our TLV. */
    private static final int TO_DATAPATH_ID = 2 + 2 + 2 + MARK.length;
    private static final int TLV_LENGTH = 0x1ff;

    byte[] bytes() {
        final byte[] number = Integer.toString(port).getBytes(StandardCharsets.US_ASCII);
        final var frame = ByteBuffer.allocate(Math.max(MIN_LENGTH,
            PORT_TEXT_AT + number.length + TO_DATAPATH_ID + Long.BYTES + 2));
        putMac(frame, NEAREST_BRIDGE);
        putMac(frame, datapathId);
        frame.putShort((short) ETHER_TYPE);
        putTlv(frame, CHASSIS_ID, 1 + MAC_LENGTH).put((byte) CHASSIS_IS_MAC);
        putMac(frame, datapathId);
        putTlv(frame, PORT_ID, 1 + number.length).put((byte) PORT_IS_LOCAL).put(number);
        putTlv(frame, TTL, 2).putShort((short) TTL_SECONDS);
        putTlv(frame, ORGANIZATION_SPECIFIC, MARK.length + Long.BYTES).put(MARK).putLong(datapathId);
        putTlv(frame, 0, 0);
        return frame.array();
    }

    /** Whether a frame is one of LLDP, ours or not. */
    static boolean isLldp(final byte[] bytes) {
        return bytes.length >= MIN_LENGTH
            && ByteBuffer.wrap(bytes).getShort(2 * MAC_LENGTH) == (short) ETHER_TYPE;
    }

    /** Reads a frame; empty if it is not exactly one of ours. What a network card appends does not matter. */
    static Optional<LldpFrame> parse(final byte[] bytes) {
        if (bytes.length < MIN_LENGTH) {
            return Optional.empty();
        }
        final var frame = ByteBuffer.wrap(bytes);
        final int digits = (frame.getShort(PORT_AT) & TLV_LENGTH) - 1;
        if (digits < 1 || digits > Integer.toString(MAX_PORT).length()) {
            return Optional.empty();
        }
        int port = 0;
        for (int index = 0; index < digits; index++) {
            final int digit = bytes[PORT_TEXT_AT + index] - '0';
            if (digit < 0 || digit > 9) {
                return Optional.empty();
            }
            port = port * 10 + digit;
        }
        if (port < 1 || port > MAX_PORT) {
            return Optional.empty();
        }
        final var read = new LldpFrame(frame.getLong(PORT_TEXT_AT + digits + TO_DATAPATH_ID), port);
        final byte[] expected = read.bytes();
        return bytes.length >= expected.length
            && Arrays.equals(bytes, 0, expected.length, expected, 0, expected.length)
            ? Optional.of(read) : Optional.empty();
    }

    static void putMac(final ByteBuffer frame, final long address) {
        frame.putShort((short) (address >>> Integer.SIZE)).putInt((int) address);
    }

    private static ByteBuffer putTlv(final ByteBuffer frame, final int type, final int length) {
        return frame.putShort((short) (type << 9 | length));
    }
}
