package org.daqfabric.impl.openflow;

import java.nio.ByteBuffer;

/**
 * A frame that the other end of a cable counts and drops: no rule takes it, and no host has its address, which whatever
 * is between passes on. It is the same each time, as only counters tell how many arrived.
 */
final class FillFrame {
    /** Locally administered. */
    private static final long RECEIVER = 0x02dafab10002L;
    private static final long SENDER = 0x02dafab10001L;
    /** For experiments within a site (IEEE 802). */
    private static final int ETHER_TYPE = 0x88b5;
    private static final int SMALLEST = 60;
    private static final int HEADER = 14;

    private FillFrame() {
    }

    /** The frame with a payload of so many bytes, or the smallest. */
    static byte[] bytes(final int payload) {
        final var frame = ByteBuffer.allocate(Math.max(SMALLEST, HEADER + payload));
        LldpFrame.putMac(frame, RECEIVER);
        LldpFrame.putMac(frame, SENDER);
        return frame.putShort((short) ETHER_TYPE).array();
    }
}
