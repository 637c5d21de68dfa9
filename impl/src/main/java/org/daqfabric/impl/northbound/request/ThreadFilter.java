package org.daqfabric.impl.northbound.request;

import java.io.IOException;
import java.util.Optional;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.access.UserRole;
import org.daqfabric.impl.audit.AuditMark;
import org.daqfabric.impl.audit.HttpFilter;
import org.daqfabric.impl.audit.UserFilter;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Shares the web server's threads out to users, so that nobody holds them all with requests that take long. It is in
 * every context, as they have the same threads, after the filter that authenticates and before those that read a body.
 */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-threads",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=*)",
    "service.ranking:Integer=-920"
})
public final class ThreadFilter extends HttpFilter {
    private static final String RUN_CONTROL = "/operations/daqfabric-run-control:";

    private final DOMSchemaService models;
    private final Threads threads = new Threads();

    @Activate
    public ThreadFilter(@Reference DOMSchemaService models) {
        this.models = models;
    }

    @Override
    protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Shares.Owner owner = owner(request);
        Optional<Threads.Taken> taken = threads.take(owner, isUrgent(request));
        if (taken.isEmpty()) {
            refuse(request, response, threads.refusal(owner));
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            // what is answered later has no thread meanwhile
            taken.get().giveBack();
        }
    }

    /** Where no login is asked for, and none is given, it is the address that counts. */
    private static Shares.Owner owner(HttpServletRequest request) {
        return UserFilter.user(request)
            .map(user -> new Shares.Owner("user " + user, Shares.Owner.of(request).mayChange()))
            .orElseGet(() -> new Shares.Owner("address " + request.getRemoteAddr(), false));
    }

    private static boolean isUrgent(HttpServletRequest request) {
        return request.isUserInRole(UserRole.ADMIN.text())
            || RequestFilter.decodedPath(request).startsWith(RUN_CONTROL);
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, String why) throws IOException {
        AuditMark.changesNothing(request);
        ErrorsDocument.of(models.getGlobalContext(), new Fault(ErrorType.TRANSPORT, ErrorTag.RESOURCE_DENIED, "", why,
            HttpServletResponse.SC_SERVICE_UNAVAILABLE), request).writeUnread(response);
    }
}
