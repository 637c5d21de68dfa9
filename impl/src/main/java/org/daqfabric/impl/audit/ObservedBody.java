package org.daqfabric.impl.audit;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;

/** A request of whose body the beginning is kept as it is read. */
final class ObservedBody extends HttpServletRequestWrapper {
    private final Object lock = new Object();
    private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();
    private long length;
    private ServletInputStream observed;

    ObservedBody(HttpServletRequest request) {
        super(request);
    }

    /** What was read, as far as it is kept; empty if nothing was. */
    String text() {
        synchronized (lock) {
            String text = beginning.toString(StandardCharsets.UTF_8);
            return length <= beginning.size() ? text : text + "... " + length + " bytes";
        }
    }

    private void keep(byte[] bytes, int offset, int count) {
        synchronized (lock) {
            if (count > 0) {
                length += count;
                beginning.write(bytes, offset, Math.min(count, Math.max(0, AuditLog.LONGEST / 2 - beginning.size())));
            }
        }
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        synchronized (lock) {
            if (observed == null) {
                observed = new Observed(super.getInputStream());
            }
            return observed;
        }
    }

    @Override
    public BufferedReader getReader() throws IOException {
        return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }

    private final class Observed extends ServletInputStream {
        private final ServletInputStream bytes;

        Observed(ServletInputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() throws IOException {
            int next = bytes.read();
            if (next >= 0) {
                keep(new byte[] { (byte) next }, 0, 1);
            }
            return next;
        }

        @Override
        public int read(byte[] into, int offset, int count) throws IOException {
            int read = bytes.read(into, offset, count);
            keep(into, offset, read);
            return read;
        }

        @Override
        public boolean isFinished() {
            return bytes.isFinished();
        }

        @Override
        public boolean isReady() {
            return bytes.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            bytes.setReadListener(listener);
        }
    }
}
