package org.daqfabric.impl.audit;

import java.io.IOException;
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
    @Override
    public void init(FilterConfig config) {
        // nothing to prepare
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest asked && response instanceof HttpServletResponse answer) {
            observed(answer, new HttpAudit(asked, answer), chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    @Override
    public void destroy() {
        // nothing is held
    }

    private static void observed(HttpServletResponse response, HttpAudit audit, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = audit.request();
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
