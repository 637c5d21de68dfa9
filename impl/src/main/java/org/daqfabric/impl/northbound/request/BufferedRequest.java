package org.daqfabric.impl.northbound.request;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;

/** A request whose body was read, and can be read once more. */
final class BufferedRequest extends HttpServletRequestWrapper {
    /** More than a fabric of any size takes, as the controller's memory is shared. */
    private static final int LONGEST = 16 << 20;

    private final byte[] begin;
    private final ServletInputStream body;

    BufferedRequest(HttpServletRequest request) throws IOException {
        super(request);
        InputStream rest = request.getInputStream();
        begin = rest.readNBytes(LONGEST + 1);
        body = new Again(new SequenceInputStream(new ByteArrayInputStream(begin), rest));
    }

    /** The body; empty if it is so long that it is not looked at. */
    Optional<byte[]> body() {
        return begin.length > LONGEST ? Optional.empty() : Optional.of(begin);
    }

    @Override
    public ServletInputStream getInputStream() {
        return body;
    }

    @Override
    public BufferedReader getReader() {
        return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    private static final class Again extends ServletInputStream {
        private final InputStream bytes;
        private boolean atEnd;

        Again(InputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() throws IOException {
            int next = bytes.read();
            atEnd = next < 0;
            return next;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int count = bytes.read(into, offset, length);
            atEnd = count < 0;
            return count;
        }

        @Override
        public boolean isFinished() {
            return atEnd;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("RESTCONF reads bodies at once");
        }
    }
}
