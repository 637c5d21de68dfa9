package org.daqfabric.impl.access;

import java.io.IOException;
import java.util.Optional;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.audit.AuditFilter;
import org.daqfabric.impl.audit.HttpFilter;
import org.daqfabric.impl.audit.UserFilter;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.http.whiteboard.Preprocessor;

/**
 * Refuses logins at the web server where too many failed, before anybody looks at the password: no thread waits. It
 * comes before the filters of all contexts, as Jolokia asks for its login before them. It has a name, which the
 * standard knows for filters alone: of all preprocessors and filters without one, whoever's they are, the web server
 * (Pax Web 8.0.33) takes one.
 */
@Component(service = Preprocessor.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-logins",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=*)",
    "service.ranking:Integer=1000"
})
public final class LoginGuard extends HttpFilter implements Preprocessor {
    static final int TOO_MANY_REQUESTS = 429;
    private static final String SEEN = "org.daqfabric.login";

    private final AuditFilter audit = new AuditFilter();
    private final Logins logins;
    private final ProxiedRequests proxied;

    @Activate
    public LoginGuard(@Reference Logins logins, @Reference ProxiedRequests proxied) {
        this.logins = logins;
        this.proxied = proxied;
    }

    @Override
    protected void filter(HttpServletRequest asked, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = proxied.of(asked);
        Optional<LoginAttempt> attempt = request.getAttribute(SEEN) != null ? Optional.empty()
            : logins.attempt(request.getRemoteAddr(), request.getHeader("Authorization"));
        request.setAttribute(SEEN, true);
        if (attempt.isPresent()) {
            guarded(attempt.get(), request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void guarded(LoginAttempt attempt, HttpServletRequest request, HttpServletResponse response,
            FilterChain chain) throws IOException, ServletException {
        long pause = logins.pause(attempt);
        if (pause > 0) {
            audit.doFilter(request, response, (passed, answer) -> refuse((HttpServletResponse) answer, pause));
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            Optional<String> user = UserFilter.user(request);
            boolean isRight = user.filter(attempt::isOf).isPresent();
            if (isRight || user.isEmpty() && response.getStatus() == HttpServletResponse.SC_UNAUTHORIZED) {
                logins.ended(attempt, isRight);
            }
        }
    }

    private static void refuse(HttpServletResponse response, long pause) throws IOException {
        response.setHeader("Retry-After", String.valueOf(pause));
        // the body is not read
        response.setHeader("Connection", "close");
        Refused.write(response, TOO_MANY_REQUESTS, "resource-denied", "too many logins failed from this address: try"
            + " again in " + pause + " s");
    }
}
