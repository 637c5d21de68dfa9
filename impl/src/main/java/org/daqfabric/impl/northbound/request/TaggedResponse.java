package org.daqfabric.impl.northbound.request;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Instant;
import java.util.Optional;
import javax.servlet.ServletOutputStream;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import org.daqfabric.impl.author.EntityTag;
import org.daqfabric.impl.author.ReadNode;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;

/** An answer that tells the entity tag of what was read, and is empty if the client has that already. */
final class TaggedResponse extends HttpServletResponseWrapper {
    private final ReadNode read;
    private final @Nullable String ifNoneMatch;
    private boolean unchanged;

    /**
     * An answer that nothing is known of.
     *
     * @param ifNoneMatch the header, null if there is none
     */
    TaggedResponse(HttpServletResponse response, ReadNode read, @Nullable String ifNoneMatch) {
        super(response);
        this.read = read;
        this.ifNoneMatch = ifNoneMatch;
    }

    @Override
    public void setStatus(int status) {
        super.setStatus(tagged(status));
    }

    @Override
    @Deprecated
    @SuppressWarnings("deprecation") // RESTCONF's library calls it
    public void setStatus(int status, String text) {
        super.setStatus(tagged(status), text);
    }

    private int tagged(int status) {
        Optional<NormalizedNode> node = read.node();
        if (status != SC_OK || node.isEmpty()) {
            return status;
        }
        setHeader("ETag", EntityTag.of(node.get()));
        read.changed().map(Instant::toEpochMilli).ifPresent(millis -> setDateHeader("Last-Modified", millis));
        unchanged = ifNoneMatch != null && !read.isWithState() && EntityTag.isIn(ifNoneMatch, node);
        return unchanged ? SC_NOT_MODIFIED : status;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        return unchanged ? new UnsentBody() : super.getOutputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        return unchanged ? new PrintWriter(Writer.nullWriter()) : super.getWriter();
    }
}
