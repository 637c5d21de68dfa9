package org.daqfabric.it;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program of peers that cost a controller as much as they can; each kind has its own address. It ends when its input
 * does, and says how many connections it has made.
 */
final class FloodProgram {
    private static final int HELLO = 0;
    private static final int ECHO_REQUEST = 2;
    private static final int FEATURES_REQUEST = 5;
    private static final int PORT_STATUS = 12;
    private static final int MULTIPART_REQUEST = 18;
    private static final int PORT_DESC = 13;
    /** More than there are places for peers that have not said who they are, and for one address. */
    private static final int SILENT_OF_A_NODE = 1200;
    private static final int DESCRIPTION = 4 * 256 + 32;
    private static final String NEVER_ENDING = "{\"a\":\"" + "x".repeat(10_000);
    /** Pause of a peer between two connections: what is tested is the controller, not the machine. */
    private static final long PAUSE_MILLIS = 20;

    private final AtomicLong connections = new AtomicLong();

    /** Misbehaves until it is disconnected. */
    interface Habit {
        void run(Socket socket) throws IOException, InterruptedException;
    }

    private static final Habit SILENT = socket -> socket.getInputStream().readAllBytes();
    /** Does not wait until it is disconnected. */
    private static final Habit HASTY = socket -> { };
    private static final Habit A_BYTE_A_SECOND = socket -> slowly(socket,
        message(HELLO, 1, ByteBuffer.allocate(1000)));
    /** Few messages, so that the bytes come to the limit before the time that it is worked for does. */
    private static final Habit MANY_BYTES = socket -> repeat(socket, message(HELLO, 0, ByteBuffer.allocate(60_000)));
    private static final Habit NO_OPENFLOW = socket -> repeat(socket, new byte[10_000]);
    private static final Habit ENDLESS_ANSWER = socket -> answer(socket, 1, true);
    private static final Habit DEAF = socket -> {
        answer(socket, 2, false);
        repeat(socket, message(ECHO_REQUEST, 1, ByteBuffer.allocate(8000)));
    };
    private static final Habit MANY_PORTS = socket -> {
        answer(socket, 3, false);
        for (int port = 2; port < 20_000; port++) {
            changed(socket, port, 4);
        }
        socket.getInputStream().readAllBytes();
    };
    private static final Habit FLAPPING = socket -> {
        answer(socket, 4, false);
        for (int change = 0;; change++) {
            changed(socket, 2 + change % 1000, change / 1000 % 2 == 0 ? 4 : 1);
        }
    };
    private static final Habit ENDLESS_MESSAGE = socket -> repeat(socket,
        NEVER_ENDING.getBytes(StandardCharsets.UTF_8));
    private static final Habit A_CHARACTER_A_SECOND = socket -> slowly(socket,
        NEVER_ENDING.getBytes(StandardCharsets.UTF_8));
    /** Says that it is a node of that name, and no more. */
    private static final Habit NAMED = socket -> {
        socket.getInputStream().read();
        socket.getOutputStream().write(("{\"id\":1,\"result\":[{\"rows\":[{\"_uuid\":[\"uuid\",\"u\"],\"external_ids\":"
            + "[\"map\",[[\"system-id\",\"flood-" + socket.getLocalPort() + "\"]]]}]}],\"error\":null}")
            .getBytes(StandardCharsets.UTF_8));
        socket.getInputStream().readAllBytes();
    };

    /** A request that never ends its head. */
    private static final Habit A_LETTER_A_SECOND = socket -> slowly(socket,
        ("GET /rests/" + "x".repeat(10_000)).getBytes(StandardCharsets.US_ASCII));
    private static final Habit LARGE_HEAD = socket -> {
        socket.getOutputStream().write(("GET / HTTP/1.1\r\nHost: " + "x".repeat(100_000) + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII));
        socket.getInputStream().readAllBytes();
    };

    private FloodProgram() {
    }

    /**
     * Arguments: address and ports for switches, of OpenFlow and OVSDB, and address and port for people; or the address
     * and the port for OVSDB alone, which silent peers ask from whatever address the machine has.
     */
    public static void main(final String[] arguments) throws IOException {
        final var flood = new FloodProgram();
        if (arguments.length == 2) {
            flood.open(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])),
                new InetSocketAddress(0), SILENT_OF_A_NODE, SILENT);
        } else {
            flood.openAll(arguments);
        }
        System.in.read();
        System.out.println(flood.connections);
        System.exit(0); // with the connections that are open
    }

    private void openAll(final String[] arguments) {
        final var openflow = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        final var ovsdb = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[2]));
        final var restconf = new InetSocketAddress(arguments[3], Integer.parseInt(arguments[4]));
        open(openflow, "silent", 700, SILENT);
        open(openflow, "hasty", 20, HASTY);
        open(openflow, "slow", 20, A_BYTE_A_SECOND);
        open(openflow, "many", 1, MANY_BYTES);
        open(openflow, "large", 2, NO_OPENFLOW);
        open(openflow, "answer", 4, ENDLESS_ANSWER);
        open(openflow, "deaf", 2, DEAF);
        open(openflow, "ports", 2, MANY_PORTS);
        open(openflow, "flapping", 1, FLAPPING);
        open(ovsdb, "silent", 1200, SILENT);
        open(ovsdb, "hasty", 20, HASTY);
        open(ovsdb, "slow", 20, A_CHARACTER_A_SECOND);
        open(ovsdb, "large", 4, ENDLESS_MESSAGE);
        open(ovsdb, "named", 1300, NAMED);
        open(restconf, "silent", 600, SILENT);
        open(restconf, "slow", 50, A_LETTER_A_SECOND);
        open(restconf, "large", 2, LARGE_HEAD);
    }

    private void open(final InetSocketAddress target, final String kind, final int count, final Habit habit) {
        open(target, new InetSocketAddress("127.0.66." + Flood.ADDRESSES.get(kind), 0), count, habit);
    }

    private void open(final InetSocketAddress target, final InetSocketAddress source, final int count,
            final Habit habit) {
        final var threads = Executors.newVirtualThreadPerTaskExecutor();
        for (int each = 0; each < count; each++) {
            threads.execute(() -> misbehave(target, source, habit));
        }
    }

    private void misbehave(final InetSocketAddress target, final InetSocketAddress source, final Habit habit) {
        while (true) {
            try (var socket = new Socket()) {
                // what it does not read waits at the controller
                socket.setReceiveBufferSize(4096);
                socket.bind(source);
                socket.connect(target);
                connections.incrementAndGet();
                habit.run(socket);
            } catch (IOException e) {
                // refused or disconnected: the next one
            } catch (InterruptedException e) {
                return;
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** A byte a second: slow on purpose. */
    private static void slowly(final Socket socket, final byte[] bytes) throws IOException, InterruptedException {
        for (byte each : bytes) {
            socket.getOutputStream().write(each);
            Thread.sleep(1000);
        }
    }

    private static void repeat(final Socket socket, final byte[] bytes) throws IOException {
        while (true) {
            socket.getOutputStream().write(bytes);
        }
    }

    private static void changed(final Socket socket, final int port, final int state) throws IOException {
        send(socket, PORT_STATUS, 0, ByteBuffer.allocate(72).putInt(8, port).putInt(44, state));
    }

    /** Says that it is a switch, truly or with an answer that does not end. */
    private static void answer(final Socket socket, final long datapathId, final boolean endless) throws IOException {
        final var in = new DataInputStream(socket.getInputStream());
        send(socket, HELLO, 1, ByteBuffer.allocate(0));
        for (int answers = 0; answers < 3;) {
            in.readUnsignedByte();
            final int type = in.readUnsignedByte();
            final int length = in.readUnsignedShort();
            final int xid = in.readInt();
            final var question = ByteBuffer.wrap(in.readNBytes(length - 8));
            if (type == FEATURES_REQUEST) {
                answers++;
                send(socket, type + 1, xid, ByteBuffer.allocate(24).putLong(0x6600 + datapathId));
            } else if (type == MULTIPART_REQUEST) {
                answers++;
                final short asked = question.getShort(0);
                if (endless) {
                    repeat(socket, message(type + 1, xid, ByteBuffer.allocate(8).putShort(asked).putShort((short) 1)));
                }
                send(socket, type + 1, xid, ByteBuffer.allocate(asked == PORT_DESC ? 72 : 8 + DESCRIPTION)
                    .putShort(asked).putInt(8, asked == PORT_DESC ? 1 : 0));
            }
        }
    }

    private static void send(final Socket socket, final int type, final int xid, final ByteBuffer body)
            throws IOException {
        socket.getOutputStream().write(message(type, xid, body));
    }

    private static byte[] message(final int type, final int xid, final ByteBuffer body) {
        return ByteBuffer.allocate(8 + body.capacity()).put((byte) 4).put((byte) type)
            .putShort((short) (8 + body.capacity())).putInt(xid).put(body.array()).array();
    }
}
