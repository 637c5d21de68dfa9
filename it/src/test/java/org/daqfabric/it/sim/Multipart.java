package org.daqfabric.it.sim;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.daqfabric.it.sim.GroupTable.Group;

/** Answers a multipart request, in several messages if needed. */
final class Multipart {
    private static final int DESCRIPTION = 0;
    private static final int FLOW = 1;
    private static final int AGGREGATE = 2;
    private static final int TABLE = 3;
    private static final int PORT_STATS = 4;
    private static final int QUEUE = 5;
    private static final int GROUP = 6;
    private static final int GROUP_DESC = 7;
    private static final int GROUP_FEATURES = 8;
    private static final int METER = 9;
    private static final int METER_CONFIG = 10;
    private static final int METER_FEATURES = 11;
    private static final int TABLE_FEATURES = 12;
    private static final int PORT_DESC = 13;

    /** The mandatory table properties: instructions, next tables, actions, match, wildcards and set-field. */
    private static final int[] TABLE_PROPERTIES = {0, 2, 4, 6, 8, 10, 12, 14};

    /** Output, group and set-field. */
    private static final int GROUP_ACTIONS = 1 | 1 << 22 | 1 << 25;

    private static final int BODY = 16;
    private static final int MORE = 1;
    private static final int BAD_MULTIPART = 2;
    private static final int BAD_LEN = 6;
    private static final int EXPERIMENTER = 0xffff;
    private static final int BAD_EXPERIMENTER = 3;

    private final SimSwitch bridge;
    private final int type;
    private final int xid;
    private final Consumer<ByteBuffer> sender;
    private MessageBuilder message;

    private Multipart(final SimSwitch bridge, final int type, final int xid, final Consumer<ByteBuffer> sender) {
        this.bridge = bridge;
        this.type = type;
        this.xid = xid;
        this.sender = sender;
        message = begin();
    }

    static void answer(final SimSwitch bridge, final ByteBuffer request, final Consumer<ByteBuffer> sender) {
        if (request.limit() < BODY) {
            throw new OpenFlowError(OpenFlow.BAD_REQUEST, BAD_LEN);
        }
        final var answer = new Multipart(bridge, request.getShort(8) & 0xffff, request.getInt(4), sender);
        answer.writeReply(request);
        sender.accept(answer.message.done());
    }

    private MessageBuilder begin() {
        return new MessageBuilder(OpenFlow.MULTIPART_REPLY, xid).u16(type).u16(0).pad(4);
    }

    /** Makes room for a part of the reply, which must not be split between messages. */
    private MessageBuilder reserve(final int length) {
        if (message.length() + length > OpenFlow.MAX_LENGTH) {
            sender.accept(message.u16At(10, MORE).done());
            message = begin();
        }
        return message;
    }

    private void writeReply(final ByteBuffer request) {
        switch (type) {
            case DESCRIPTION -> message.text("daqfabric", 256).text("switch simulator", 256).text("0", 256)
                .text(bridge.serial(), 32).text(bridge.name(), 256);
            case FLOW -> rules(request).forEach(this::rule);
            case AGGREGATE -> {
                int count = 0;
                for (var unused : rules(request)) {
                    count++;
                }
                message.u64(0).u64(0).u32(count).pad(4);
            }
            case TABLE -> {
                for (int table = 0; table < OpenFlow.TABLE_MAX; table++) {
                    final int at = table;
                    message.u8(table).pad(3).u32(table > 0 && bridge.rules().size() == 0 ? 0
                        : (int) bridge.rules().all().stream().filter(rule -> rule.table() == at).count()).u64(0).u64(0);
                }
            }
            case PORT_STATS -> {
                final int number = number(request);
                bridge.ports().stream().filter(port -> number == OpenFlow.ANY || port.number == number)
                    .forEach(port -> port.statistics(reserve(112)));
            }
            case GROUP -> {
                final int id = number(request);
                bridge.groups().all().stream().filter(group -> id == OpenFlow.GROUP_ALL || group.id() == id)
                    .forEach(this::group);
            }
            case GROUP_DESC -> bridge.groups().all().forEach(group -> reserve(8 + group.buckets().length)
                .u16(8 + group.buckets().length).u8(group.type()).pad(1).u32(group.id()).put(group.buckets()));
            case GROUP_FEATURES -> message.u32(15).u32(7).u32(OpenFlow.GROUP_MAX).u32(OpenFlow.GROUP_MAX)
                .u32(OpenFlow.GROUP_MAX).u32(OpenFlow.GROUP_MAX)
                .u32(GROUP_ACTIONS).u32(GROUP_ACTIONS).u32(GROUP_ACTIONS).u32(GROUP_ACTIONS);
            case METER_FEATURES -> message.pad(16);
            case QUEUE, METER, METER_CONFIG -> {
                // none exist
            }
            case TABLE_FEATURES -> tableFeatures();
            case PORT_DESC -> bridge.ports().forEach(port -> port.describe(reserve(Port.LENGTH)));
            default -> throw new OpenFlowError(OpenFlow.BAD_REQUEST, type == EXPERIMENTER ? BAD_EXPERIMENTER
                : BAD_MULTIPART);
        }
    }

    /** One table stands for all; its lists of properties are empty. */
    private void tableFeatures() {
        message.u16(64 + 8 * TABLE_PROPERTIES.length).u8(0).pad(5)
            .text("table0", 32).u64(-1).u64(-1).u32(0).u32(1_000_000);
        for (int property : TABLE_PROPERTIES) {
            message.u16(property).u16(4).pad(4);
        }
    }

    private static int number(final ByteBuffer request) {
        if (request.limit() < BODY + 8) {
            throw new OpenFlowError(OpenFlow.BAD_REQUEST, BAD_LEN);
        }
        return request.getInt(BODY);
    }

    private Iterable<Rule> rules(final ByteBuffer request) {
        if (request.limit() < BODY + 32) {
            throw new OpenFlowError(OpenFlow.BAD_REQUEST, BAD_LEN);
        }
        return bridge.rules().find(request.get(BODY) & 0xff, request.getLong(BODY + 16), request.getLong(BODY + 24),
            Oxm.read(request, BODY + 32), request.getInt(BODY + 4), request.getInt(BODY + 8));
    }

    private void rule(final Rule rule) {
        final int match = OpenFlow.padded(4 + rule.match().length);
        final int length = 48 + match + rule.instructions.bytes().length;
        reserve(length).u16(length).u8(rule.table()).pad(1).u32(0).u32(0).u16(rule.priority()).u16(rule.idle)
            .u16(rule.hard).u16(rule.flags).pad(4).u64(rule.cookie).u64(rule.packets()).u64(0).match(rule.match())
            .put(rule.instructions.bytes());
    }

    private void group(final Group group) {
        final int length = 40 + 16 * group.packets().length;
        reserve(length).u16(length).pad(2).u32(group.id()).u32(0).pad(4).u64(LongStream.of(group.packets()).sum())
            .u64(0).u32(0).u32(0);
        for (long packets : group.packets()) {
            message.u64(packets).u64(0);
        }
    }
}
