package org.daqfabric.impl.ovsdb;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.impl.async.Backoff;

/** Keeps one connection to a node that listens, and connects again after growing pauses. */
final class Dialler {
    private static final int CONNECT_MILLIS = 5000;

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final DriverContext context;
    private final Node node;
    private final OvsdbAddress address;
    private volatile JsonRpcConnection connection;
    private volatile boolean reached;

    Dialler(DriverContext context, Node node, OvsdbAddress address) {
        this.context = context;
        this.node = node;
        this.address = address;
    }

    OvsdbAddress address() {
        return address;
    }

    Node node() {
        return node;
    }

    void start() {
        context.threads().execute(this::run);
    }

    /** Ends the connection, if there is one, and makes no other. */
    void stop() {
        stopped.countDown();
        JsonRpcConnection current = connection;
        if (current != null) {
            current.close("no longer wanted");
        }
    }

    /** The connection led to the right node: the next pause is short again. */
    void reachedNode() {
        reached = true;
    }

    /** The connection over the socket that was handed over. */
    void opened(JsonRpcConnection opened) {
        connection = opened;
        if (stopped.getCount() == 0) {
            opened.close("no longer wanted");
        }
    }

    private void run() {
        OvsdbSettings.Timing timing = context.settings().timing();
        Backoff first = new Backoff(timing.dial(), timing.dialMost());
        Backoff retry = first;
        try {
            do {
                reached = false;
                connect();
                if (reached) {
                    retry = first;
                }
                if (stopped.await(retry.pause().toNanos(), TimeUnit.NANOSECONDS)) {
                    return;
                }
                retry = retry.doubled();
            } while (stopped.getCount() > 0);
        } catch (InterruptedException e) {
            stop();
        }
    }

    private void connect() throws InterruptedException {
        try {
            Socket socket = new Socket();
            try {
                InetSocketAddress target = new InetSocketAddress(address.host(), address.port());
                if (target.isUnresolved()) {
                    throw new IOException("the name is not known");
                }
                socket.connect(target, CONNECT_MILLIS);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
            context.connected().accept(socket, this);
            JsonRpcConnection current = connection;
            if (current != null) {
                current.awaitClosed();
                connection = null;
            }
        } catch (IOException e) {
            node.dialFailed(this, "cannot connect to " + this + ": " + e.getMessage());
        }
    }

    @Override
    public String toString() {
        return address.host() + ":" + address.port();
    }
}
