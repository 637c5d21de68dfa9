package org.daqfabric.impl.async;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Captures what is logged while it is open; in tests, the log goes to standard error. */
public final class LogLines implements AutoCloseable {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream before = System.err;

    public LogLines() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    public List<String> with(String text) {
        return written.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains(text)).toList();
    }

    @Override
    public void close() {
        System.setErr(before);
        before.print(written.toString(StandardCharsets.UTF_8));
    }
}
