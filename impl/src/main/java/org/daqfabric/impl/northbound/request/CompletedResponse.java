package org.daqfabric.impl.northbound.request;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import javax.servlet.ServletOutputStream;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;

/**
 * A response in whose place another goes when RESTCONF begins to answer with a failure of the server for which there is
 * a better answer. It may be written on any thread, by one at a time.
 */
final class CompletedResponse extends HttpServletResponseWrapper {
    private final Supplier<Optional<ErrorsDocument>> better;
    private boolean replaced;

    /** Asks for the better answer once RESTCONF fails. */
    CompletedResponse(HttpServletResponse response, Supplier<Optional<ErrorsDocument>> better) {
        super(response);
        this.better = better;
    }

    private boolean replaces(int status) {
        if (!replaced && status >= 500) {
            Optional<ErrorsDocument> answer = better.get();
            if (answer.isPresent()) {
                try {
                    answer.get().write((HttpServletResponse) getResponse());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                replaced = true;
            }
        }
        return replaced;
    }

    @Override
    public void setStatus(int status) {
        if (!replaces(status)) {
            super.setStatus(status);
        }
    }

    @Override
    @Deprecated
    @SuppressWarnings("deprecation") // RESTCONF's library calls it
    public void setStatus(int status, String text) {
        if (!replaces(status)) {
            super.setStatus(status, text);
        }
    }

    @Override
    public void sendError(int status) throws IOException {
        if (!replaces(status)) {
            super.sendError(status);
        }
    }

    @Override
    public void sendError(int status, String text) throws IOException {
        if (!replaces(status)) {
            super.sendError(status, text);
        }
    }

    @Override
    public void setHeader(String name, String value) {
        if (!replaced || !isOfBody(name)) {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, String value) {
        if (!replaced || !isOfBody(name)) {
            super.addHeader(name, value);
        }
    }

    private static boolean isOfBody(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith("content-");
    }

    @Override
    public void setContentType(String type) {
        if (!replaced) {
            super.setContentType(type);
        }
    }

    @Override
    public void setContentLength(int length) {
        if (!replaced) {
            super.setContentLength(length);
        }
    }

    @Override
    public void setContentLengthLong(long length) {
        if (!replaced) {
            super.setContentLengthLong(length);
        }
    }

    @Override
    public void reset() {
        if (!replaced) {
            super.reset();
        }
    }

    @Override
    public void resetBuffer() {
        if (!replaced) {
            super.resetBuffer();
        }
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        return replaced ? new UnsentBody() : super.getOutputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        return replaced ? new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)
            : super.getWriter();
    }
}
