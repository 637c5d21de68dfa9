package org.daqfabric.impl.ovsdb;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** What lies between a TCP connection and OVSDB. */
sealed interface Transport {
    /** Scheme of targets in Open vSwitch. */
    String scheme();

    /**
     * The socket to read from and write to. Does not wait for the peer: a handshake is the first read's.
     *
     * @param dialled whether we connected to the peer
     */
    Socket over(Socket tcp, boolean dialled) throws IOException;

    /** Nothing. */
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

    /** TLS with a certificate from either side. Names in certificates are not looked at; Open vSwitch does not either. */
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
