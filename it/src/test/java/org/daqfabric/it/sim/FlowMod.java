package org.daqfabric.it.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.daqfabric.it.sim.Rule.Instructions;

/** A flow-mod message (OpenFlow 1.3, section 7.3.4.1). */
record FlowMod(long cookie, long cookieMask, int table, int command, int idle, int hard, int priority, int outPort,
        int outGroup, int flags, byte[] match, Instructions instructions) {
    static final int ADD = 0;
    static final int MODIFY = 1;
    static final int MODIFY_STRICT = 2;
    static final int DELETE = 3;
    static final int DELETE_STRICT = 4;

    private static final int MATCH_AT = 48;
    private static final int BAD_LEN = 6;
    private static final int BAD_TABLE_ID = 2;
    private static final int BAD_COMMAND = 6;

    static FlowMod read(final ByteBuffer message) {
        if (message.limit() < MATCH_AT) {
            throw new OpenFlowError(OpenFlow.BAD_REQUEST, BAD_LEN);
        }
        final int command = message.get(25);
        if (command < ADD || command > DELETE_STRICT) {
            throw new OpenFlowError(OpenFlow.FLOW_MOD_FAILED, BAD_COMMAND);
        }
        final int table = message.get(24) & 0xff;
        final boolean deletes = command == DELETE || command == DELETE_STRICT;
        if (table >= OpenFlow.TABLE_MAX && !(deletes && table == OpenFlow.ALL_TABLES)) {
            throw new OpenFlowError(OpenFlow.FLOW_MOD_FAILED, BAD_TABLE_ID);
        }
        return new FlowMod(message.getLong(8), message.getLong(16), table, command, message.getShort(26),
            message.getShort(28), message.getShort(30) & 0xffff, message.getInt(36), message.getInt(40),
            message.getShort(44), Oxm.read(message, MATCH_AT), instructions(message, Oxm.end(message, MATCH_AT)));
    }

    private static Instructions instructions(final ByteBuffer message, final int from) {
        final List<Integer> groups = new ArrayList<>(1);
        final List<Integer> ports = new ArrayList<>(1);
        Actions.instructions(message, from, message.limit(), new Actions.Listener() {
            @Override
            public void output(final int port) {
                ports.add(port);
            }

            @Override
            public void group(final int id) {
                groups.add(id);
            }
        });
        return new Instructions(MessageBuilder.copy(message, from, message.limit() - from),
            groups.stream().mapToInt(each -> each).toArray(), ports.stream().mapToInt(each -> each).toArray());
    }
}
