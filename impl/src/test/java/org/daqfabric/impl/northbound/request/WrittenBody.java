package org.daqfabric.impl.northbound.request;

import java.io.IOException;
import java.io.OutputStream;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;

/** The body of an answer, which can be read again. */
final class WrittenBody extends ServletOutputStream {
    private final OutputStream written;

    WrittenBody(OutputStream written) {
        this.written = written;
    }

    @Override
    public void write(int next) throws IOException {
        written.write(next);
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        throw new UnsupportedOperationException();
    }
}
