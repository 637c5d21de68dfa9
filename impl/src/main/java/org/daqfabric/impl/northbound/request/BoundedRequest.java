package org.daqfabric.impl.northbound.request;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import org.opendaylight.yangtools.yang.common.ErrorTag;

/**
 * A request whose body cannot be read beyond a length, nor for longer than a time, nor if there is no memory left for
 * it.
 */
final class BoundedRequest extends HttpServletRequestWrapper {
    private final int longest;
    private final long end;
    private final BodyMemory.Share memory;
    private Refusal refusal;

    /** Why reading it failed. */
    enum Refusal {
        TOO_LONG(413, ErrorTag.TOO_BIG, "the body is too long: write the parts of it one by one"),
        TOO_SLOW(408, ErrorTag.OPERATION_FAILED, "the body comes too slowly"),
        NO_MEMORY(503, ErrorTag.RESOURCE_DENIED, "other requests take all the memory that is set aside for them: ask"
            + " again in a second");

        final int status;
        final ErrorTag tag;
        final String message;

        Refusal(int status, ErrorTag tag, String message) {
            this.status = status;
            this.tag = tag;
            this.message = message;
        }
    }

    /**
     * A request that is not read yet.
     *
     * @param longest length of a body, bytes
     * @param time to read it
     * @param memory what the body takes
     */
    BoundedRequest(HttpServletRequest request, int longest, Duration time, BodyMemory.Share memory) {
        super(request);
        this.longest = longest;
        this.memory = memory;
        end = System.nanoTime() + time.toNanos();
        refusal = request.getContentLengthLong() > longest ? Refusal.TOO_LONG : null;
    }

    /** Why the body was not read to its end; empty if it was, or not at all. */
    synchronized Optional<Refusal> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** Gives the memory back, when the request is over. */
    synchronized void release() {
        memory.release();
    }

    private synchronized void hold(int more) throws IOException {
        refusal = memory.length() + more > longest ? Refusal.TOO_LONG : System.nanoTime() - end > 0 ? Refusal.TOO_SLOW
            : memory.take(more) ? null : Refusal.NO_MEMORY;
        if (refusal != null) {
            throw new IOException(refusal.message);
        }
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        return new Bounded(super.getInputStream());
    }

    @Override
    public BufferedReader getReader() throws IOException {
        return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }

    private final class Bounded extends ServletInputStream {
        private final ServletInputStream bytes;

        Bounded(ServletInputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() throws IOException {
            int next = bytes.read();
            hold(next < 0 ? 0 : 1);
            return next;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = bytes.read(into, offset, length);
            hold(Math.max(0, read));
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
