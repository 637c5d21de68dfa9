package org.daqfabric.impl.openflow;

import java.nio.ByteBuffer;

/**
 * A small frame that the other end of a cable counts and drops: no rule takes it, and no host has its address. It is
 * the same each time, as only counters tell how many arrived.
 */
final class FillFrame {
    /** Bridges do not forward frames to this address. */
    private static final long NEAREST_BRIDGE = 0x0180c200000eL;
    /** Locally administered. */
    private static final long SENDER = 0x02dafab10001L;
    /** For experiments within a site (IEEE 802). */
    private static final int ETHER_TYPE = 0x88b5;
    private static final int LENGTH = 60;
    private static final int HALF = 16;

    private FillFrame() {
    }

    static byte[] bytes() {
        return ByteBuffer.allocate(LENGTH).putShort((short) (NEAREST_BRIDGE >> 2 * HALF)).putInt((int) NEAREST_BRIDGE)
            .putShort((short) (SENDER >> 2 * HALF)).putInt((int) SENDER).putShort((short) ETHER_TYPE).array();
    }
}
