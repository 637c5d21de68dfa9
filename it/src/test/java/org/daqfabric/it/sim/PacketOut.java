package org.daqfabric.it.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A packet-out message (OpenFlow 1.3, section 7.3.7). */
record PacketOut(int inPort, List<Integer> ports, byte[] frame) {
    private static final int ACTIONS_AT = 24;
    private static final int BUFFER_UNKNOWN = 8;

    static PacketOut read(final ByteBuffer message) {
        if (message.getInt(8) != OpenFlow.NO_BUFFER) {
            throw new OpenFlowError(OpenFlow.BAD_REQUEST, BUFFER_UNKNOWN);
        }
        final int end = ACTIONS_AT + (message.getShort(16) & 0xffff);
        final List<Integer> ports = new ArrayList<>(1);
        Actions.actions(message, ACTIONS_AT, end, new Actions.Listener() {
            @Override
            public void output(final int port) {
                ports.add(port);
            }

            @Override
            public void group(final int id) {
                // the simulator does not send packets through groups
            }
        });
        return new PacketOut(message.getInt(12), ports, MessageBuilder.copy(message, end, message.limit() - end));
    }
}
