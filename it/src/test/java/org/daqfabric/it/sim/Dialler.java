package org.daqfabric.it.sim;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Supplier;

/** Keeps a connection open: reconnects after 1 s, 2 s, 4 s and so on up to a limit. */
final class Dialler implements TcpConnection.Handler {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private final EventLoop loop;
    private final InetSocketAddress target;
    private final Duration maxPause;
    private final Supplier<TcpConnection.Handler> handlers;
    private TcpConnection connection;
    private TcpConnection.Handler handler;
    private Duration pause = FIRST_PAUSE;
    private boolean open;
    private boolean stopped;

    /**
     * Connects.
     *
     * @param handlers creates the handler of each connection
     */
    Dialler(final EventLoop loop, final InetSocketAddress target, final Duration maxPause,
            final Supplier<TcpConnection.Handler> handlers) {
        this.loop = loop;
        this.target = target;
        this.maxPause = maxPause;
        this.handlers = handlers;
        connect();
    }

    private void connect() {
        if (!stopped) {
            handler = handlers.get();
            connection = loop.connect(target, this);
        }
    }

    @Override
    public void opened(final TcpConnection opened) {
        pause = FIRST_PAUSE;
        open = true;
        handler.opened(opened);
    }

    @Override
    public void received(final ByteBuffer bytes) {
        handler.received(bytes);
    }

    @Override
    public void lost() {
        open = false;
        handler.lost();
        loop.later(pause, this::connect);
        pause = pause.multipliedBy(2).compareTo(maxPause) > 0 ? maxPause : pause.multipliedBy(2);
    }

    /** Closes the connection; it reconnects after the pause. */
    void drop() {
        if (!connection.isClosed()) {
            connection.close();
            lost();
        }
    }

    boolean isOpen() {
        return open;
    }

    void stop() {
        stopped = true;
        open = false;
        if (!connection.isClosed()) {
            connection.close();
            handler.lost();
        }
    }
}
