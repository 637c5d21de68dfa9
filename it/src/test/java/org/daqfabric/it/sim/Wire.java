package org.daqfabric.it.sim;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/** A connection of a {@link Loop}. What is sent goes out when the loop has done what there is to do, or sooner if it is much. */
final class Wire {
    private static final int FIRST = 8 << 10;
    private static final int CHUNK = 64 << 10;

    private final ArrayDeque<ByteBuffer> out = new ArrayDeque<>();
    private final Loop loop;
    private final SocketChannel channel;
    private final Handler handler;
    private ByteBuffer in = ByteBuffer.allocate(FIRST);
    private SelectionKey key;
    private boolean queued;
    private boolean closed;

    /** Who is at this end. */
    interface Handler {
        void opened(Wire wire);

        /** Takes whole messages out of what was received and leaves the rest. */
        void received(ByteBuffer bytes);

        /** It could not be made, the other end closed it, or it failed; not called after {@link Wire#close}. */
        void lost();
    }

    Wire(final Loop loop, final SocketChannel channel, final Handler handler) throws IOException {
        this.loop = loop;
        this.channel = channel;
        this.handler = handler;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    void register(final Selector selector, final int interest) throws IOException {
        key = channel.register(selector, interest, this);
    }

    void opened() {
        handler.opened(this);
    }

    void ready() {
        try {
            if (key.isValid() && key.isConnectable()) {
                channel.finishConnect();
                key.interestOps(SelectionKey.OP_READ);
                handler.opened(this);
                return;
            }
            if (key.isValid() && key.isReadable()) {
                read();
            }
            if (!closed && key.isValid() && key.isWritable()) {
                flush();
            }
        } catch (IOException e) {
            lose();
        }
    }

    private void read() throws IOException {
        final int count = channel.read(in);
        if (count < 0) {
            lose();
            return;
        }
        in.flip();
        handler.received(in);
        in.compact();
        if (!in.hasRemaining()) {
            in = ByteBuffer.allocate(in.capacity() * 4).put(in.flip());
        }
    }

    /** Sends bytes that nobody changes any more. */
    void send(final ByteBuffer bytes) {
        if (closed) {
            return;
        }
        final var last = out.peekLast();
        if (last != null && last.capacity() == CHUNK && last.capacity() - last.limit() >= bytes.remaining()) {
            // many small messages make few writes
            final int end = last.limit();
            last.limit(end + bytes.remaining());
            last.put(end, bytes, bytes.position(), bytes.remaining());
        } else if (bytes.remaining() < CHUNK / 8) {
            out.add(ByteBuffer.allocate(CHUNK).put(bytes).flip());
        } else {
            out.add(bytes);
        }
        if (!queued) {
            queued = true;
            loop.unsent(this);
        }
    }

    void flush() {
        queued = false;
        if (closed) {
            return;
        }
        try {
            while (!out.isEmpty()) {
                channel.write(out.peek());
                if (out.peek().hasRemaining()) {
                    key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                    return;
                }
                out.poll();
            }
            key.interestOps(SelectionKey.OP_READ);
        } catch (IOException e) {
            lose();
        }
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        if (!closed) {
            closed = true;
            try {
                channel.close();
            } catch (IOException e) {
                // it is gone either way
            }
        }
    }

    private void lose() {
        if (!closed) {
            close();
            handler.lost();
        }
    }
}
