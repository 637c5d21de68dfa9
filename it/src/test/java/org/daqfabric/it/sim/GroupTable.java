package org.daqfabric.it.sim;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The groups of a switch. */
final class GroupTable {
    private static final int ADD = 0;
    private static final int MODIFY = 1;
    private static final int DELETE = 2;
    private static final int SELECT = 1;
    private static final int INDIRECT = 2;
    static final int FAST_FAILOVER = 3;

    private static final int GROUP_EXISTS = 0;
    private static final int INVALID_GROUP = 1;
    private static final int WATCH_UNSUPPORTED = 6;
    private static final int UNKNOWN_GROUP = 8;
    private static final int BAD_TYPE = 10;
    private static final int BAD_COMMAND = 11;
    private static final int BAD_BUCKET = 12;
    private static final int BUCKETS_AT = 16;
    static final int BUCKET = 16;

    private final SortedMap<Integer, Group> groups = new TreeMap<>();

    /**
     * A group.
     *
     * @param buckets as they were sent
     * @param packets that each bucket has taken
     */
    record Group(int id, int type, byte[] buckets, long[] packets) {
        Group(final int id, final int type, final byte[] buckets) {
            this(id, type, buckets, new long[count(buckets)]);
        }

        private static int count(final byte[] buckets) {
            int count = 0;
            for (int at = 0; at < buckets.length; at += (buckets[at] & 0xff) << 8 | buckets[at + 1] & 0xff) {
                count++;
            }
            return count;
        }
    }

    Optional<Group> find(final int id) {
        return Optional.ofNullable(groups.get(id));
    }

    boolean has(final int id) {
        return groups.containsKey(id);
    }

    Collection<Group> all() {
        return groups.values();
    }

    void clear() {
        groups.clear();
    }

    /** Applies a group-mod; rules that refer to a deleted group are removed with it. */
    void apply(final ByteBuffer message, final FlowTable rules) {
        if (message.limit() < BUCKETS_AT) {
            throw new OpenFlowError(OpenFlow.BAD_REQUEST, 6);
        }
        final int command = message.getShort(8);
        final int id = message.getInt(12);
        switch (command) {
            case ADD -> {
                final var group = parse(message, id);
                if (has(id)) {
                    throw failed(GROUP_EXISTS);
                }
                groups.put(id, group);
            }
            case MODIFY -> {
                final var group = parse(message, id);
                if (!has(id)) {
                    throw failed(UNKNOWN_GROUP);
                }
                groups.put(id, group);
            }
            case DELETE -> {
                if (id == OpenFlow.GROUP_ALL) {
                    groups.clear();
                    rules.removeLeadingTo(id);
                } else if (groups.remove(id) != null) {
                    rules.removeLeadingTo(id);
                }
            }
            default -> throw failed(BAD_COMMAND);
        }
    }

    private static Group parse(final ByteBuffer message, final int id) {
        final int type = message.get(10);
        if (type < 0 || type > FAST_FAILOVER) {
            throw failed(BAD_TYPE);
        }
        if (Integer.compareUnsigned(id, OpenFlow.GROUP_MAX) > 0) {
            throw failed(INVALID_GROUP);
        }
        int count = 0;
        for (int at = BUCKETS_AT; at < message.limit(); count++) {
            final int length = at + BUCKET > message.limit() ? 0 : message.getShort(at) & 0xffff;
            if (length < BUCKET || at + length > message.limit()) {
                throw failed(BAD_BUCKET);
            }
            requireValid(type, message.getShort(at + 2), message.getInt(at + 4) != OpenFlow.ANY
                || message.getInt(at + 8) != OpenFlow.ANY);
            Actions.actions(message, at + BUCKET, at + length, new Actions.Listener() {
                @Override
                public void output(final int port) {
                    // any valid port number is accepted
                }

                @Override
                public void group(final int other) {
                    // Open vSwitch does not check that it exists
                }
            });
            at += length;
        }
        if (type == INDIRECT && count != 1) {
            throw failed(INVALID_GROUP);
        }
        return new Group(id, type, MessageBuilder.copy(message, BUCKETS_AT, message.limit() - BUCKETS_AT));
    }

    /** As Open vSwitch requires: weights only in select groups, a watch in every bucket of a failover group. */
    private static void requireValid(final int type, final int weight, final boolean watches) {
        if (weight != 0 && type != SELECT || type == FAST_FAILOVER && !watches) {
            throw failed(INVALID_GROUP);
        }
        if (watches && type != FAST_FAILOVER && type != SELECT) {
            throw failed(WATCH_UNSUPPORTED);
        }
    }

    private static OpenFlowError failed(final int code) {
        return new OpenFlowError(OpenFlow.GROUP_MOD_FAILED, code);
    }
}
