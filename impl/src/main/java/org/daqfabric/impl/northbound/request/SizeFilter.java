package org.daqfabric.impl.northbound.request;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.audit.HttpFilter;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Bounds the memory that requests to RESTCONF take: of one, and of all that are worked on at the same time. It comes
 * after the filter that authenticates, so that who cannot log in takes none of it.
 */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-size",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=RESTCONF)",
    "service.ranking:Integer=-950"
})
public final class SizeFilter extends HttpFilter {
    /** More than a fabric of any size takes, as the controller's memory is shared. */
    static final int LONGEST = 16 << 20;
    /** What requests take at the same time, but for the beginnings of their bodies: two of the longest. */
    private static final int TOGETHER = 2 * LONGEST;
    /** More than any request of a run controller. */
    private static final int SMALL = 64 << 10;
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");
    private static final Duration TIME = Duration.ofMinutes(1);

    private final DOMSchemaService models;
    private final BodyMemory memory = new BodyMemory(TOGETHER, SMALL);

    @Activate
    public SizeFilter(@Reference DOMSchemaService models) {
        this.models = models;
    }

    @Override
    protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (WITH_BODY.contains(request.getMethod())) {
            sized(request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void sized(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        BoundedRequest bounded = new BoundedRequest(request, LONGEST, TIME, memory.share(Shares.Owner.of(request)));
        if (bounded.refusal().isPresent()) {
            refuse(request, response, bounded.refusal().get());
            return;
        }
        try {
            AfterRequest.of(chain, bounded, response, bounded::release);
        } catch (IOException e) {
            if (bounded.refusal().isEmpty() || response.isCommitted()) {
                throw e;
            }
            refuse(request, response, bounded.refusal().get());
        }
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, BoundedRequest.Refusal refusal)
            throws IOException {
        ErrorsDocument.of(models.getGlobalContext(), new Fault(ErrorType.TRANSPORT, refusal.tag, "", refusal.message,
            refusal.status), request).writeUnread(response);
    }
}
