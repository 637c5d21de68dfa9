package org.daqfabric.impl.ovsdb;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sockets on which nodes connect to the controller. One whose port is taken waits until the port is free. */
final class OvsdbServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OvsdbServer.class);
    private static final int BACKLOG = 1024;
    private static final Duration ACCEPT_PAUSE = Duration.ofMillis(100);
    private static final Duration BIND_PAUSE = Duration.ofMillis(200);
    private static final int BINDS_PER_WARNING = 150;

    private final List<Listening> listening = new ArrayList<>();
    private final Acceptor acceptor;
    private volatile boolean closed;

    private record Listening(ServerSocket socket, InetSocketAddress address, Transport transport) {
    }

    /** Takes over a socket that was accepted. */
    interface Acceptor {
        void accepted(Socket socket, Transport transport);
    }

    OvsdbServer(Acceptor acceptor) {
        this.acceptor = acceptor;
    }

    /** Binds a socket, if the port is free; it accepts nothing before {@link #start}. */
    void listen(InetSocketAddress address, Transport transport) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        Listening added = new Listening(socket, address, transport);
        listening.add(added);
        bind(added, 0);
    }

    void start(Executor threads) {
        listening.forEach(each -> threads.execute(() -> accept(each)));
    }

    /** Those that are bound, in the order in which they were added. */
    List<InetSocketAddress> addresses() {
        return listening.stream().filter(each -> each.socket.isBound())
            .map(each -> new InetSocketAddress(each.address.getAddress(), each.socket.getLocalPort())).toList();
    }

    private boolean bind(Listening on, int attempt) {
        try {
            on.socket.bind(on.address, BACKLOG);
            LOG.info("Listening for OVSDB on {}:{}", on.transport.scheme(), on.socket.getLocalSocketAddress());
            return true;
        } catch (IOException e) {
            if (!closed && attempt % BINDS_PER_WARNING == 0) {
                LOG.warn("OVSDB cannot listen on {}:{} yet ({}), so that no switch can connect there. See who does with"
                    + " 'ss -ltnp', or change the address or port in etc/org.daqfabric.cfg",
                    on.address.getHostString(), on.address.getPort(), e.getMessage());
            }
            return false;
        }
    }

    @SuppressWarnings("checkstyle:illegalCatch") // one node must not keep others out
    private void accept(Listening on) {
        for (int attempt = 1; !closed && !on.socket.isBound() && !bind(on, attempt); attempt++) {
            // nothing tells when a port becomes free
            pause(BIND_PAUSE);
        }
        while (!closed) {
            try {
                acceptor.accepted(on.socket.accept(), on.transport);
            } catch (IOException | RuntimeException e) {
                if (!closed) {
                    LOG.warn("An OVSDB connection could not be accepted; still listening: {}", e.toString());
                    // nothing tells when the system can take a connection again
                    pause(ACCEPT_PAUSE);
                }
            }
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Listening each : listening) {
            try {
                each.socket.close();
            } catch (IOException e) {
                LOG.debug("Closing the listening socket", e);
            }
        }
    }
}
