package org.daqfabric.impl.access;

import java.io.IOException;
import java.util.Optional;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.audit.AuditMark;
import org.daqfabric.impl.audit.HttpFilter;
import org.osgi.service.component.annotations.Component;

/**
 * Refuses changes that pages of other sites ask for in a browser, with the login that the browser keeps. It is in every
 * context of the web server, after the filter that authenticates: the audit log has the user whose login it was.
 */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-cross-site",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=*)",
    "service.ranking:Integer=-910"
})
public final class CrossSiteFilter extends HttpFilter {
    @Override
    protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<String> refusal = CrossSite.of(request).refusal(request.getMethod());
        if (refusal.isPresent()) {
            AuditMark.changesNothing(request);
            // the rest of the body is not read
            response.setHeader("Connection", "close");
            Refused.write(response, HttpServletResponse.SC_FORBIDDEN, "access-denied", refusal.get());
            return;
        }
        chain.doFilter(request, response);
    }
}
