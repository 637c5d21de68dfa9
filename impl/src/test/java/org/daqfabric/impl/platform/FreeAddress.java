package org.daqfabric.impl.platform;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** An address of the loopback interface on which nothing listens. */
final class FreeAddress {
    private FreeAddress() {
    }

    static InetSocketAddress find() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), free.getLocalPort());
        }
    }
}
