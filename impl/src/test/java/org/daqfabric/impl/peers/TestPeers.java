package org.daqfabric.impl.peers;

import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** What tests of peers need. */
public final class TestPeers {
    private static final int NETWORK = 10 << 24;
    /** Longer than a controller on this machine takes to say its first words. */
    private static final int PATIENCE_MILLIS = 1000;

    private TestPeers() {
    }

    /** The address of that number in 10.0.0.0/8. */
    public static InetAddress address(int number) {
        return InetAddresses.fromInteger(NETWORK + number);
    }

    /** Whether the other side says something or disconnects soon. */
    public static boolean isAnswered(Socket socket) throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        try {
            socket.getInputStream().read();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
