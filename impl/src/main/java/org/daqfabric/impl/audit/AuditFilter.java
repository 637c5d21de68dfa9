package org.daqfabric.impl.audit;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.osgi.service.component.annotations.Component;

/**
 * Has a line written about every request to any site of OpenDaylight's web server. It comes before the login, and so
 * sees also who is not let in.
 */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-audit",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=*)",
    "service.ranking:Integer=1000"
})
public final class AuditFilter implements Filter {
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");
    /** What follows may be a module of daqfabric, whose bodies have no secrets; those of users have passwords. */
    private static final String OURS = ".*/(data|operations)/daqfabric[a-z-]*:.*";

    @Override
    public void init(FilterConfig config) {
        // nothing to prepare
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest asked && response instanceof HttpServletResponse answer) {
            Optional<ObservedBody> body = WITH_BODY.contains(asked.getMethod())
                && asked.getRequestURI().matches(OURS) ? Optional.of(new ObservedBody(asked)) : Optional.empty();
            observed(body.isPresent() ? body.get() : asked, answer, new HttpAudit(asked, answer, body), chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    @Override
    public void destroy() {
        // nothing is held
    }

    private static void observed(HttpServletRequest request, HttpServletResponse response, HttpAudit audit,
            FilterChain chain) throws IOException, ServletException {
        boolean returned = false;
        try {
            chain.doFilter(request, response);
            returned = true;
        } finally {
            if (!returned) {
                audit.failed();
            } else if (request.isAsyncStarted()) {
                request.getAsyncContext().addListener(audit);
            } else {
                audit.answered();
            }
        }
    }
}
