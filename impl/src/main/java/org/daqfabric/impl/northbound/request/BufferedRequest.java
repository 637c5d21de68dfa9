package org.daqfabric.impl.northbound.request;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;

/** A request whose body was read, and can be read once more; it is not longer than {@link SizeFilter} lets through. */
final class BufferedRequest extends HttpServletRequestWrapper {
    private final byte[] bytes;
    private final ServletInputStream body;

    BufferedRequest(HttpServletRequest request) throws IOException {
        super(request);
        bytes = request.getInputStream().readAllBytes();
        body = new Again(new ByteArrayInputStream(bytes));
    }

    byte[] body() {
        return bytes;
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
