package org.daqfabric.it;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A peer that says over OpenFlow that it has the datapath-id of somebody else, answers all questions as that switch
 * might, and connects again as soon as it is turned away.
 */
final class Impostor implements AutoCloseable {
    private static final int HELLO = 0;
    private static final int ECHO_REQUEST = 2;
    private static final int FEATURES_REQUEST = 5;
    private static final int FLOW_MOD = 14;
    private static final int GROUP_MOD = 15;
    private static final int MULTIPART_REQUEST = 18;
    private static final int BARRIER_REQUEST = 20;
    private static final int OFPMP_DESC = 0;
    private static final int DESCRIPTION = 4 * 256 + 32;
    private static final int SERIAL_AT = 3 * 256;
    /** So that it does not connect more often than an address may: that would be refused and alarmed for minutes. */
    private static final long PAUSE_MILLIS = 20;

    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();
    private final InetSocketAddress controller;
    private final long datapathId;
    private final Thread thread;
    private volatile boolean closed;
    private volatile Socket socket;

    Impostor(final Distribution controller, final long datapathId) {
        this.controller = new InetSocketAddress(controller.address(), controller.port("openflow"));
        this.datapathId = datapathId;
        thread = Thread.ofPlatform().daemon().name("impostor").start(this::run);
    }

    /** How often it has connected and was asked who it is. */
    int connections() {
        return connections.get();
    }

    /** Changes of rules and groups that it was sent, of all its connections. */
    int changes() {
        return changes.get();
    }

    private void run() {
        while (!closed) {
            try (var opened = new Socket()) {
                socket = opened;
                opened.connect(controller);
                final var out = new DataOutputStream(opened.getOutputStream());
                reply(out, HELLO, 1, ByteBuffer.allocate(0));
                serve(new DataInputStream(opened.getInputStream()), out);
            } catch (IOException e) {
                // turned away: the next one
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(final DataInputStream in, final DataOutputStream out) throws IOException {
        while (!closed) {
            in.readUnsignedByte();
            final int type = in.readUnsignedByte();
            final int length = in.readUnsignedShort();
            final int xid = in.readInt();
            final var body = ByteBuffer.wrap(in.readNBytes(length - 8));
            switch (type) {
                case ECHO_REQUEST -> reply(out, ECHO_REQUEST + 1, xid, body);
                case FEATURES_REQUEST -> {
                    connections.incrementAndGet();
                    reply(out, FEATURES_REQUEST + 1, xid, ByteBuffer.allocate(24).putLong(datapathId));
                }
                case MULTIPART_REQUEST -> reply(out, MULTIPART_REQUEST + 1, xid, answer(body.getShort(0)));
                case BARRIER_REQUEST -> reply(out, BARRIER_REQUEST + 1, xid, ByteBuffer.allocate(0));
                case FLOW_MOD, GROUP_MOD -> changes.incrementAndGet();
                default -> {
                    // of no interest
                }
            }
        }
    }

    private static ByteBuffer answer(final short type) {
        final int length = type == OFPMP_DESC ? DESCRIPTION : 0;
        final var body = ByteBuffer.allocate(8 + length).putShort(0, type);
        if (type == OFPMP_DESC) {
            body.put(8 + SERIAL_AT, "000000000000000000000000".getBytes());
        }
        return body;
    }

    private static void reply(final DataOutputStream out, final int type, final int xid, final ByteBuffer body)
            throws IOException {
        out.write(ByteBuffer.allocate(8 + body.capacity()).put((byte) 4).put((byte) type)
            .putShort((short) (8 + body.capacity())).putInt(xid).put(body.array()).array());
        out.flush();
    }

    @Override
    public void close() {
        closed = true;
        final var last = socket;
        try {
            if (last != null) {
                last.close();
            }
            thread.join();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
