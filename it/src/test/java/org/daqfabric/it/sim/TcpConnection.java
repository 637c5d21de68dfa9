package org.daqfabric.it.sim;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/** A TCP connection of an {@link EventLoop}. Data is sent before the loop waits again. */
final class TcpConnection {
    private static final int INITIAL_BUFFER = 8 << 10;
    private static final int CHUNK = 64 << 10;

    private final ArrayDeque<ByteBuffer> out = new ArrayDeque<>();
    private final EventLoop loop;
    private final SocketChannel channel;
    private final Handler handler;
    private ByteBuffer in = ByteBuffer.allocate(INITIAL_BUFFER);
    private SelectionKey key;
    private boolean queued;
    private boolean closed;

    /** Receives the events of a connection. */
    interface Handler {
        void opened(TcpConnection connection);

        /** Consumes complete messages and leaves the rest in the buffer. */
        void received(ByteBuffer bytes);

        /**
         * The connection could not be opened, was closed by the peer, or failed. Not called after {@link
         * TcpConnection#close}.
         */
        void lost();
    }

    TcpConnection(final EventLoop loop, final SocketChannel channel, final Handler handler) throws IOException {
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
            closeAndNotify();
        }
    }

    private void read() throws IOException {
        final int count = channel.read(in);
        if (count < 0) {
            closeAndNotify();
            return;
        }
        in.flip();
        handler.received(in);
        in.compact();
        if (!in.hasRemaining()) {
            in = ByteBuffer.allocate(in.capacity() * 4).put(in.flip());
        }
    }

    /** Sends bytes; the caller must not modify them afterwards. */
    void send(final ByteBuffer bytes) {
        if (closed) {
            return;
        }
        final var last = out.peekLast();
        if (last != null && last.capacity() == CHUNK && last.capacity() - last.limit() >= bytes.remaining()) {
            // small messages are combined into few writes
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
            loop.flushLater(this);
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
            closeAndNotify();
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
                // closed either way
            }
        }
    }

    private void closeAndNotify() {
        if (!closed) {
            close();
            handler.lost();
        }
    }
}
