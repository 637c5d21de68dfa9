package org.daqfabric.impl.access;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.Optional;
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
public final class RoleFilter implements Filter {
    @Override
    public void init(FilterConfig config) {
        // nothing to prepare
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer) {
            Optional<UserRole> role = UserRole.highest(http::isUserInRole);
            UserRole required = RequiredRole.of(http.getMethod(), http.getRequestURI(), http.getQueryString());
            if (role.isPresent() && !role.get().includes(required)) {
                refuse(answer, role.get(), required);
                return;
            }
        }
        chain.doFilter(request, response);
    }

    @Override
    public void destroy() {
        // nothing is held
    }

    /** As RESTCONF refuses (RFC 8040), which others can read as well. */
    private static void refuse(HttpServletResponse response, UserRole role, UserRole required) throws IOException {
        JsonObject error = new JsonObject();
        error.addProperty("error-type", "protocol");
        error.addProperty("error-tag", "access-denied");
        error.addProperty("error-message", "role " + role.text() + " may not do this, which needs role "
            + required.text());
        JsonArray errors = new JsonArray();
        errors.add(error);
        JsonObject list = new JsonObject();
        list.add("error", errors);
        JsonObject document = new JsonObject();
        document.add("errors", list);
        response.setStatus(HttpServletResponse.SC_FORBIDDEN);
        response.setContentType("application/yang-data+json");
        response.getWriter().write(document.toString());
    }
}
