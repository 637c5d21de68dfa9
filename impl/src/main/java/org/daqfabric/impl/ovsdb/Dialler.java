package org.daqfabric.impl.ovsdb;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.impl.async.Backoff;

/** Keeps one connection to a node that listens, connecting again with growing pauses. */
final class Dialler {
    private static final int CONNECT_MILLIS = 5000;

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final DriverContext surroundings;
    private final Node node;
    private final OvsdbAddress address;
    private volatile JsonRpcConnection connection;
    private volatile boolean useful;

    Dialler(DriverContext surroundings, Node node, OvsdbAddress address) {
        this.surroundings = surroundings;
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
        surroundings.threads().execute(this::run);
    }

    /** Ends its connection, if it has one, and makes no other. */
    void stop() {
        stopped.countDown();
        JsonRpcConnection current = connection;
        if (current != null) {
            current.close("no longer wanted");
        }
    }

    /** Says that the connection led to the right node: the pauses become short again. */
    void useful() {
        useful = true;
    }

    /** Says which connection came of the socket that was handed over. */
    void opened(JsonRpcConnection opened) {
        connection = opened;
        if (stopped.getCount() == 0) {
            opened.close("no longer wanted");
        }
    }

    private void run() {
        OvsdbSettings.Timing timing = surroundings.settings().timing();
        Backoff first = new Backoff(timing.dial(), timing.dialMost());
        Backoff retry = first;
        try {
            do {
                useful = false;
                connect();
                if (useful) {
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
            surroundings.connected().accept(socket, this);
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
