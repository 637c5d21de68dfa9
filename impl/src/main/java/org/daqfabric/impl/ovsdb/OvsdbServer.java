package org.daqfabric.impl.ovsdb;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sockets on which nodes connect to the controller. */
final class OvsdbServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OvsdbServer.class);
    private static final int BACKLOG = 1024;
    private static final int ACCEPT_PAUSE_MILLIS = 100;

    private final List<Listening> listening = new ArrayList<>();
    private final Acceptor acceptor;
    private volatile boolean closed;

    private record Listening(ServerSocket socket, Transport transport) {
    }

    /** Takes over a socket that was accepted. */
    interface Acceptor {
        void accepted(Socket socket, Transport transport);
    }

    OvsdbServer(Acceptor acceptor) {
        this.acceptor = acceptor;
    }

    /** Binds a socket; it accepts nothing before {@link #start}. */
    void listen(InetSocketAddress address, Transport transport) throws IOException {
        ServerSocket socket = new ServerSocket();
        listening.add(new Listening(socket, transport));
        try {
            socket.setReuseAddress(true);
            socket.bind(address, BACKLOG);
        } catch (IOException e) {
            throw new IOException("cannot listen for OVSDB on " + address + ": " + e.getMessage(), e);
        }
        LOG.info("Listening for OVSDB on {}:{}", transport.scheme(), socket.getLocalSocketAddress());
    }

    void start(Executor threads) {
        listening.forEach(each -> threads.execute(() -> accept(each)));
    }

    /** In the order in which they were bound. */
    List<InetSocketAddress> addresses() {
        return listening.stream().map(each -> (InetSocketAddress) each.socket.getLocalSocketAddress()).toList();
    }

    @SuppressWarnings("checkstyle:illegalCatch") // one node must not keep others out
    private void accept(Listening on) {
        while (!closed) {
            try {
                acceptor.accepted(on.socket.accept(), on.transport);
            } catch (IOException | RuntimeException e) {
                if (!closed) {
                    LOG.warn("An OVSDB connection could not be accepted; still listening: {}", e.toString());
                    pause();
                }
            }
        }
    }

    private static void pause() {
        try {
            // nothing tells when the system can take a connection again
            Thread.sleep(ACCEPT_PAUSE_MILLIS);
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
