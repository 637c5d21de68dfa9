package org.daqfabric.it.sim;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Supplier;

/** Keeps a connection: makes it anew a second after it is lost, then after two, and so on up to a limit. */
final class Dialler implements Wire.Handler {
    private static final Duration FIRST = Duration.ofSeconds(1);

    private final Loop loop;
    private final InetSocketAddress target;
    private final Duration most;
    private final Supplier<Wire.Handler> ends;
    private Wire wire;
    private Wire.Handler end;
    private Duration pause = FIRST;
    private boolean open;
    private boolean stopped;

    /**
     * Connects.
     *
     * @param ends makes what is at our end of each connection
     */
    Dialler(final Loop loop, final InetSocketAddress target, final Duration most, final Supplier<Wire.Handler> ends) {
        this.loop = loop;
        this.target = target;
        this.most = most;
        this.ends = ends;
        connect();
    }

    private void connect() {
        if (!stopped) {
            end = ends.get();
            wire = loop.connect(target, this);
        }
    }

    @Override
    public void opened(final Wire opened) {
        pause = FIRST;
        open = true;
        end.opened(opened);
    }

    @Override
    public void received(final ByteBuffer bytes) {
        end.received(bytes);
    }

    @Override
    public void lost() {
        open = false;
        end.lost();
        loop.later(pause, this::connect);
        pause = pause.multipliedBy(2).compareTo(most) > 0 ? most : pause.multipliedBy(2);
    }

    /** Ends this connection; another is made after the pause. */
    void drop() {
        if (!wire.isClosed()) {
            wire.close();
            lost();
        }
    }

    boolean isOpen() {
        return open;
    }

    void stop() {
        stopped = true;
        open = false;
        if (!wire.isClosed()) {
            wire.close();
            end.lost();
        }
    }
}
