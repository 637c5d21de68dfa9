package org.daqfabric.impl.ovsdb;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** What a TCP connection carries OVSDB over: nothing else, or TLS. */
sealed interface Transport {
    /** Scheme of targets in Open vSwitch. */
    String scheme();

    /**
     * The socket to read from and write to. Does not wait for the peer: the first read makes the handshake.
     *
     * @param dialled whether the controller connected to the peer
     */
    Socket over(Socket tcp, boolean dialled) throws IOException;

    /** Plain TCP. */
    record Plain() implements Transport {
        @Override
        public String scheme() {
            return "tcp";
        }

        @Override
        public Socket over(Socket tcp, boolean dialled) {
            return tcp;
        }
    }

    /** TLS with a certificate from either side. Names in certificates are not checked; Open vSwitch does not either. */
    record Tls(SSLContext context) implements Transport {
        @Override
        public String scheme() {
            return "ssl";
        }

        @Override
        public Socket over(Socket tcp, boolean dialled) throws IOException {
            SSLSocket socket = (SSLSocket) (dialled
                ? context.getSocketFactory().createSocket(tcp, tcp.getInetAddress().getHostAddress(), tcp.getPort(),
                    true)
                : context.getSocketFactory().createSocket(tcp, null, true));
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
            parameters.setNeedClientAuth(true);
            socket.setSSLParameters(parameters);
            return socket;
        }
    }
}
