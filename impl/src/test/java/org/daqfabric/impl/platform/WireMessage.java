package org.daqfabric.impl.platform;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A message of OpenFlow 1.3 as it is on the wire, which a switch made by hand reads and answers. */
record WireMessage(int type, int xid, ByteBuffer body) {
    static final int HELLO = 0;
    static final int ERROR = 1;
    static final int ECHO_REQUEST = 2;
    static final int FEATURES_REQUEST = 5;
    static final int PORT_STATUS = 12;
    static final int FLOW_MOD = 14;
    static final int GROUP_MOD = 15;
    static final int MULTIPART_REQUEST = 18;
    static final int MULTIPART_REPLY = 19;
    static final int BARRIER_REQUEST = 20;
    static final int PORT_DESC = 13;
    private static final int HEADER = 8;

    /** Waits for the next message. */
    static WireMessage read(Socket from) throws IOException {
        var in = new DataInputStream(from.getInputStream());
        in.readUnsignedByte();
        int type = in.readUnsignedByte();
        int length = in.readUnsignedShort();
        return new WireMessage(type, in.readInt(), ByteBuffer.wrap(in.readNBytes(length - HEADER)));
    }

    static void send(Socket to, int type, int xid, ByteBuffer body) throws IOException {
        to.getOutputStream().write(bytes(type, xid, body));
    }

    static byte[] bytes(int type, int xid, ByteBuffer body) {
        return ByteBuffer.allocate(HEADER + body.capacity()).put((byte) 4).put((byte) type)
            .putShort((short) (HEADER + body.capacity())).putInt(xid).put(body.array()).array();
    }

    /** Answers the question for features. */
    void answerFeatures(Socket to, long datapathId) throws IOException {
        send(to, type + 1, xid, ByteBuffer.allocate(24).putLong(datapathId));
    }

    /** Answers a question for the description, which is empty, or the ports, of which there is one. */
    void answerDescription(Socket to) throws IOException {
        boolean ports = body.getShort(0) == PORT_DESC;
        send(to, MULTIPART_REPLY, xid, ByteBuffer.allocate(ports ? 72 : 8 + 4 * 256 + 32).putShort(body.getShort(0))
            .putInt(8, ports ? 1 : 0));
    }
}
