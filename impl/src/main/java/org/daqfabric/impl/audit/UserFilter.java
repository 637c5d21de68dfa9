package org.daqfabric.impl.audit;

import java.io.IOException;
import java.security.Principal;
import java.util.Optional;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.osgi.service.component.annotations.Component;

/** Notes at every request of a user who is logged in which user that is; it comes after the login. */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-user",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=*)",
    "service.ranking:Integer=-900"
})
public final class UserFilter extends HttpFilter {
    /** The attribute of the request. */
    static final String USER = "org.daqfabric.user";

    /** Who is logged in, after the login. */
    public static Optional<String> user(ServletRequest request) {
        return Optional.ofNullable((String) request.getAttribute(USER));
    }

    /** Somebody has logged in. */
    public static void isLoggedIn(ServletRequest request, String user) {
        request.setAttribute(USER, user);
    }

    @Override
    protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Principal user = request.getUserPrincipal();
        if (user != null) {
            isLoggedIn(request, user.getName());
        }
        chain.doFilter(request, response);
    }
}
