package org.daqfabric.it.sim;

import java.nio.ByteBuffer;
import java.util.function.IntPredicate;

/** Checks actions and instructions as Open vSwitch does, and reports the ports and groups in them. */
final class Actions {
    private static final int OUTPUT = 0;
    private static final int GROUP = 22;
    private static final int SET_FIELD = 25;
    private static final int EXPERIMENTER = 0xffff;
    /** Bits of the action types of OpenFlow 1.3: 0, 11, 12 and 15 to 27. */
    private static final long KNOWN = 1L | 1L << 11 | 1L << 12 | (1L << 28) - (1L << 15);

    private static final int BAD_TYPE = 0;
    private static final int BAD_LEN = 1;
    private static final int BAD_EXPERIMENTER = 2;
    private static final int BAD_OUT_PORT = 4;
    private static final int BAD_OUT_GROUP = 9;

    private static final int GOTO_TABLE = 1;
    private static final int WRITE_METADATA = 2;
    private static final int WRITE_ACTIONS = 3;
    private static final int APPLY_ACTIONS = 4;
    private static final int CLEAR_ACTIONS = 5;

    private Actions() {
    }

    /** Receives the ports and groups that actions refer to. */
    interface Listener {
        void output(int port);

        void group(int id);
    }

    /** Reads the instructions between two offsets of a message. */
    static void instructions(final ByteBuffer message, final int from, final int to, final Listener listener) {
        for (int at = from; at < to;) {
            final int length = length(message, at, to, OpenFlow.BAD_INSTRUCTION, 0);
            switch (message.getShort(at) & 0xffff) {
                case APPLY_ACTIONS, WRITE_ACTIONS -> actions(message, at + 8, at + length, listener);
                case GOTO_TABLE, WRITE_METADATA, CLEAR_ACTIONS -> {
                    // refers to no port or group
                }
                default -> throw new OpenFlowError(OpenFlow.BAD_INSTRUCTION, 1);
            }
            at += length;
        }
    }

    /** Reads the actions between two offsets of a message. */
    static void actions(final ByteBuffer message, final int from, final int to, final Listener listener) {
        for (int at = from; at < to;) {
            final int length = length(message, at, to, OpenFlow.BAD_ACTION, BAD_LEN);
            final int type = message.getShort(at) & 0xffff;
            if (type == EXPERIMENTER) {
                throw new OpenFlowError(OpenFlow.BAD_ACTION, BAD_EXPERIMENTER);
            }
            if (type >= Long.SIZE || (KNOWN & 1L << type) == 0) {
                throw new OpenFlowError(OpenFlow.BAD_ACTION, BAD_TYPE);
            }
            if (length != (type == OUTPUT ? 16 : type == SET_FIELD ? length : 8)) {
                throw new OpenFlowError(OpenFlow.BAD_ACTION, BAD_LEN);
            }
            if (type == OUTPUT) {
                listener.output(port(message.getInt(at + 4)));
            } else if (type == GROUP) {
                listener.group(message.getInt(at + 4));
            }
            at += length;
        }
    }

    /** Refuses groups that do not exist. */
    static void requireGroups(final int[] groups, final IntPredicate exists) {
        for (int group : groups) {
            if (!exists.test(group)) {
                throw new OpenFlowError(OpenFlow.BAD_ACTION, BAD_OUT_GROUP);
            }
        }
    }

    private static int port(final int port) {
        final boolean physical = Integer.compareUnsigned(port, 1) >= 0
            && Integer.compareUnsigned(port, OpenFlow.PORT_MAX) < 0;
        if (!physical && (Integer.compareUnsigned(port, OpenFlow.PORT_IN_PORT) < 0 || port == OpenFlow.ANY)) {
            throw new OpenFlowError(OpenFlow.BAD_ACTION, BAD_OUT_PORT);
        }
        return port;
    }

    private static int length(final ByteBuffer message, final int at, final int to, final int error, final int code) {
        final int length = at + 8 > to ? 0 : message.getShort(at + 2) & 0xffff;
        if (length < 8 || length % 8 != 0 || at + length > to) {
            throw new OpenFlowError(error, code);
        }
        return length;
    }
}
