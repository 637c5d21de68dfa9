package org.daqfabric.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** TCP ports of this machine. */
final class Ports {
    private Ports() {
    }

    /** Whether nothing listens there. By taking the port, not by a connection, which whoever listens would log. */
    static boolean isFree(final String address, final int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getByName(address))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
