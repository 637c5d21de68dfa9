package org.daqfabric.impl.ovsdb;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A peer that sends a text repeatedly, without reading meanwhile, and notices when it is disconnected. */
final class HostilePeer implements AutoCloseable {
    private final Socket socket;
    private volatile boolean ended;

    /**
     * Connects and starts to send.
     *
     * @param times how often the text is sent; what follows is silence
     * @param millis if not 0, the text is sent for ever, one byte every so many milliseconds
     */
    HostilePeer(int port, String text, int times, int millis) throws IOException {
        this(InetAddress.getLoopbackAddress(), port, Optional.empty(), text, times, millis);
    }

    private HostilePeer(InetAddress from, int port, Optional<String> systemId, String text, int times, int millis)
            throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
        // not virtual: it must not occupy the carrier threads of the driver
        Thread.ofPlatform().daemon().start(() -> run(systemId, text.getBytes(StandardCharsets.UTF_8), times, millis));
    }

    /** A peer that names its system-id when it is asked, and sends the text from then on. */
    static HostilePeer named(String systemId, int port, String text, int times) throws IOException {
        return new HostilePeer(InetAddress.getLoopbackAddress(), port, Optional.of(systemId), text, times, 0);
    }

    /** A peer at another address that names a system-id when it is asked, and is silent from then on. */
    static HostilePeer named(String systemId, InetAddress from, int port) throws IOException {
        return new HostilePeer(from, port, Optional.of(systemId), "", 0, 0);
    }

    /** A peer at another address that never says anything. */
    static HostilePeer silent(InetAddress from, int port) throws IOException {
        return new HostilePeer(from, port, Optional.empty(), "", 0, 0);
    }

    boolean isEnded() {
        return ended;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void run(Optional<String> systemId, byte[] text, int times, int millis) {
        try {
            OutputStream out = socket.getOutputStream();
            if (systemId.isPresent()) {
                // an answer that comes before its question is dropped
                socket.getInputStream().read();
                out.write(identity(systemId.get()));
            }
            for (int at = 0; at < times && millis == 0; at++) {
                out.write(text);
            }
            for (int at = 0; millis > 0; at = (at + 1) % text.length) {
                out.write(text[at]);
                // slow on purpose
                Thread.sleep(millis);
            }
            byte[] buffer = new byte[4096];
            while (socket.getInputStream().read(buffer) >= 0) {
                // only the end of the stream matters
            }
        } catch (IOException | InterruptedException e) {
            // disconnected while sending
        }
        ended = true;
    }

    private static byte[] identity(String systemId) {
        return ("{\"id\":1,\"result\":[{\"rows\":[{\"_uuid\":[\"uuid\",\"u\"],"
            + "\"external_ids\":[\"map\",[[\"system-id\",\"" + systemId + "\"]]]}]}],\"error\":null}")
            .getBytes(StandardCharsets.UTF_8);
    }
}
