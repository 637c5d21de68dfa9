package org.daqfabric.impl.northbound.request;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.audit.AuditMark;
import org.daqfabric.impl.audit.HttpFilter;
import org.daqfabric.impl.platform.DiskSpace;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Refuses to store configuration while so little space is left that runs and repairs need it: a write that the disk
 * cannot take ends OpenDaylight's journal, and nothing is stored until a restart. It comes after the filter that knows
 * who may, and before those that read the body; with the one that notes the author it may come in either order. A few
 * bytes that drain switches and links, or take them back into use, are for repairs: {@code FabricCohort} sees to it
 * that nothing else changes.
 */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-space",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=RESTCONF)",
    "service.ranking:Integer=-1000"
})
public final class SpaceFilter extends HttpFilter {
    private static final String DATA = "/data";
    private static final String FABRICS = DATA + "/daqfabric:fabrics";
    /** Bytes of a body that may be read while space is short. */
    private static final int SMALL = 4096;
    private static final Set<String> CHANGES = Set.of("PUT", "PATCH");
    private static final String CALLED = "/operations/";
    /** Those that store configuration. All others are for runs, repairs and alarms, or store nothing. */
    private static final Set<String> STORING = Set.of("daqfabric-backup:restore", "daqfabric-operations:roll-back");

    private final DOMSchemaService models;
    private final Supplier<Optional<String>> refusal;

    @Activate
    public SpaceFilter(@Reference DOMSchemaService models, @Reference DiskSpace space) {
        this(models, space::refusal);
    }

    /**
     * Refuses while there is a reason to.
     *
     * @param refusal why nothing may be stored; empty if it may
     */
    SpaceFilter(DOMSchemaService models, Supplier<Optional<String>> refusal) {
        this.models = models;
        this.refusal = refusal;
    }

    @Override
    protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<String> why = stores(request) ? refusal.get() : Optional.empty();
        if (why.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        if (isSmallChange(request)) {
            BufferedRequest buffered = new BufferedRequest(request);
            if (AdminStateBody.is(buffered.body())) {
                chain.doFilter(buffered, response);
                return;
            }
        }
        AuditMark.changesNothing(request);
        ErrorsDocument.of(models.getGlobalContext(), Fault.noSpace(why.get()), request).writeUnread(response);
    }

    private static boolean isSmallChange(HttpServletRequest request) {
        long length = request.getContentLengthLong();
        return CHANGES.contains(request.getMethod()) && length > 0 && length <= SMALL
            && Format.of(request.getContentType()).equals(Optional.of(Format.JSON))
            && RequestFilter.decodedPath(request).startsWith(FABRICS);
    }

    private static boolean stores(HttpServletRequest request) {
        if (READS.contains(request.getMethod())) {
            return false;
        }
        String path = RequestFilter.decodedPath(request);
        return path.equals(DATA) || path.startsWith(DATA + "/")
            || path.startsWith(CALLED) && STORING.contains(path.substring(CALLED.length()));
    }
}
