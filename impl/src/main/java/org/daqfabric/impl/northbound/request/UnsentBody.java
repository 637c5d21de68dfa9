package org.daqfabric.impl.northbound.request;

import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;

/** Takes the body of an answer that is not sent, as another one went in its place, or none is wanted. */
final class UnsentBody extends ServletOutputStream {
    @Override
    public void write(int next) {
        // it is not sent
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        throw new IllegalStateException("RESTCONF writes answers at once");
    }
}
