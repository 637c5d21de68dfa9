package org.daqfabric.impl.northbound.request;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;

/** A response that keeps what it says, as far as an answer that names a stream can be long. */
final class RecordedResponse extends HttpServletResponseWrapper {
    private static final int LONGEST = 4096;
    /** As OpenDaylight names streams. */
    private static final Pattern NAME = Pattern.compile("urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final Object lock = new Object();
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    RecordedResponse(HttpServletResponse response) {
        super(response);
    }

    /** The answer that says which stream was made; empty if none was. */
    Optional<Streams.Answer> answer() {
        synchronized (lock) {
            Matcher name = NAME.matcher(kept.toString(StandardCharsets.UTF_8));
            return getStatus() == SC_OK && name.find()
                ? Optional.of(new Streams.Answer(name.group(), String.valueOf(getContentType()), kept.toByteArray()))
                : Optional.empty();
        }
    }

    private void keep(byte[] bytes, int offset, int count) {
        synchronized (lock) {
            kept.write(bytes, offset, Math.min(count, LONGEST - kept.size()));
        }
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        return new Recorded(super.getOutputStream());
    }

    private final class Recorded extends ServletOutputStream {
        private final ServletOutputStream sent;

        Recorded(ServletOutputStream sent) {
            this.sent = sent;
        }

        @Override
        public void write(int next) throws IOException {
            sent.write(next);
            keep(new byte[] { (byte) next }, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            sent.write(bytes, offset, count);
            keep(bytes, offset, count);
        }

        @Override
        public void flush() throws IOException {
            sent.flush();
        }

        @Override
        public void close() throws IOException {
            sent.close();
        }

        @Override
        public boolean isReady() {
            return sent.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            sent.setWriteListener(listener);
        }
    }
}
