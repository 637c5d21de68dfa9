package org.daqfabric.impl.audit;

import java.io.IOException;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
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
public final class AuditFilter extends HttpFilter {
    @Override
    protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpAudit audit = new HttpAudit(request, response);
        HttpServletRequest observed = audit.request();
        boolean returned = false;
        try {
            chain.doFilter(observed, response);
            returned = true;
        } finally {
            if (!returned) {
                audit.failed();
            } else if (observed.isAsyncStarted()) {
                observed.getAsyncContext().addListener(audit);
            } else {
                audit.answered();
            }
        }
    }
}
