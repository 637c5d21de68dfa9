package org.daqfabric.impl.audit;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;

/** The body of a request, as filters read it. */
public final class SentBody extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    public SentBody(String text) {
        bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int read() {
        return bytes.read();
    }

    @Override
    public boolean isFinished() {
        return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
        throw new UnsupportedOperationException();
    }
}
