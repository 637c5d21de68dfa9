package org.daqfabric.impl.openflow;

import io.netty.buffer.ByteBuf;

/**
 * The flow monitor of the ONF's extension for OpenFlow 1.3, which Open vSwitch has: a switch reports every rule that is
 * added, deleted or modified, and reports changes of the connection that asks as no more than a number.
 */
final class RuleUpdates {
    static final int ONF = 0x4f4e4600;
    static final int FLOW_MONITOR = 1870;
    private static final int ADD_DELETE_MODIFY = 1 << 1 | 1 << 2 | 1 << 3;
    private static final int ABBREVIATED = 3;

    private RuleUpdates() {
    }

    /** Writes the body of the request: all rules of all tables, without those that there are. */
    static void request(final ByteBuf out) {
        out.writeInt(ONF).writeInt(FLOW_MONITOR).writeInt(1).writeShort(ADD_DELETE_MODIFY).writeShort(4)
            .writeInt(OpenFlow13.NONE).writeByte(OpenFlow13.OFPTT_ALL).writeZero(3)
            .writeShort(OpenFlow13.OFPMT_OXM).writeShort(4).writeZero(4);
    }

    /** Whether a report has a change that another connection, or the switch itself, has made. */
    static boolean byOthers(final ByteBuf in) {
        if (in.readableBytes() < 8 || in.readInt() != ONF || in.readInt() != FLOW_MONITOR) {
            return false;
        }
        while (in.isReadable(4)) {
            final int length = in.getUnsignedShort(in.readerIndex());
            if (in.getUnsignedShort(in.readerIndex() + 2) != ABBREVIATED) {
                return true;
            }
            if (length < 8 || length > in.readableBytes()) {
                return true; // it cannot be read further, so that something may have changed
            }
            in.skipBytes(length);
        }
        return false;
    }
}
