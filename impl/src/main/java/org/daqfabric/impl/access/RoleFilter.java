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
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Refuses requests that a user's role is not for. It is in every context of the web server, after the filter that
 * authenticates and before all others, so that what is not read is not acted on either.
 */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-roles",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=*)",
    "service.ranking:Integer=-999"
})
public final class RoleFilter extends HttpFilter {
    private final Logins logins;

    @Activate
    public RoleFilter(@Reference Logins logins) {
        this.logins = logins;
    }

    @Override
    protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<UserRole> role = UserRole.highest(request::isUserInRole);
        UserRole required = RequiredRole.of(request.getMethod(), request.getRequestURI(), request.getQueryString());
        boolean isRefused = role.isPresent() && !role.get().includes(required);
        if (isRefused || UserRole.VIEWER.includes(required)) {
            AuditMark.changesNothing(request);
        }
        if (isRefused) {
            Refused.write(response, HttpServletResponse.SC_FORBIDDEN, "access-denied", "role " + role.get().text()
                + " may not do this, which needs role " + required.text());
            return;
        }
        if (request.getUserPrincipal() != null && logins.keepsOut(request.getUserPrincipal().getName())) {
            Refused.write(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "resource-denied", "the account may"
                + " still have the password that all know, as no other could be stored: free space on the"
                + " controller's disk; data/log/karaf.log says more");
            return;
        }
        chain.doFilter(request, response);
    }
}
