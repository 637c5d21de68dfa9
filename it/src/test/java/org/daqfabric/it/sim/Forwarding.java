package org.daqfabric.it.sim;

import java.nio.ByteBuffer;

/**
 * One frame in one switch: the actions of its rule and of the groups that these lead to, as far as the rules of
 * daqfabric need them. Only the first bucket that can send is used; of fields only the Ethernet destination is set.
 */
final class Forwarding {
    private static final int OUTPUT = 0;
    private static final int GROUP = 22;
    private static final int SET_FIELD = 25;
    private static final int INSTRUCTION_HEADER = 8;

    private final SimSwitch bridge;
    private final int inPort;

    Forwarding(final SimSwitch bridge, final int inPort) {
        this.bridge = bridge;
        this.inPort = inPort;
    }

    void execute(final Rule rule, final byte[] frame) {
        final var bytes = ByteBuffer.wrap(rule.instructions.bytes());
        for (int at = 0; at < bytes.limit(); at += bytes.getShort(at + 2) & 0xffff) {
            actions(bytes, at + INSTRUCTION_HEADER, at + (bytes.getShort(at + 2) & 0xffff), frame);
        }
    }

    private void actions(final ByteBuffer bytes, final int from, final int to, final byte[] received) {
        byte[] frame = received;
        for (int at = from; at < to; at += bytes.getShort(at + 2) & 0xffff) {
            switch (bytes.getShort(at) & 0xffff) {
                case OUTPUT -> output(bytes.getInt(at + 4), frame);
                case GROUP -> group(bytes.getInt(at + 4), frame);
                case SET_FIELD -> {
                    if ((bytes.get(at + 6) & 0xff) >>> 1 == Oxm.ETH_DST) {
                        frame = frame.clone();
                        bytes.get(at + 8, frame, 0, 6);
                    }
                }
                default -> {
                    // changes nothing that decides where the frame goes
                }
            }
        }
    }

    /** By the port where it came in a frame leaves only if that is said, as in Open vSwitch. */
    private void output(final int port, final byte[] frame) {
        if (port == OpenFlow.PORT_IN_PORT) {
            bridge.send(inPort, frame);
        } else if (port != inPort) {
            bridge.send(port, frame);
        }
    }

    private void group(final int id, final byte[] frame) {
        bridge.groups().find(id).ifPresent(group -> {
            final var buckets = ByteBuffer.wrap(group.buckets());
            int bucket = 0;
            for (int at = 0; at < buckets.limit(); at += buckets.getShort(at) & 0xffff, bucket++) {
                if (group.type() != GroupTable.FAST_FAILOVER
                        || isLive(buckets.getInt(at + 4), buckets.getInt(at + 8))) {
                    group.packets()[bucket]++;
                    actions(buckets, at + GroupTable.BUCKET, at + (buckets.getShort(at) & 0xffff), frame);
                    return;
                }
            }
        });
    }

    private boolean isLive(final int port, final int group) {
        return port != OpenFlow.ANY && bridge.isLive(port) || group != OpenFlow.ANY && bridge.groups().find(group)
            .map(GroupTable.Group::buckets).map(ByteBuffer::wrap).filter(this::hasLiveBucket).isPresent();
    }

    private boolean hasLiveBucket(final ByteBuffer buckets) {
        for (int at = 0; at < buckets.limit(); at += buckets.getShort(at) & 0xffff) {
            final int port = buckets.getInt(at + 4);
            final int group = buckets.getInt(at + 8);
            if (port == OpenFlow.ANY && group == OpenFlow.ANY || isLive(port, group)) {
                return true;
            }
        }
        return false;
    }
}
