package org.daqfabric.impl.author;

import java.io.IOException;
import java.security.Principal;
import java.util.Optional;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import org.osgi.service.component.annotations.Component;

/**
 * Keeps the user and the reason of a request to RESTCONF at the thread that works on it. It comes after the filter that
 * authenticates, and so sees users who are logged in.
 */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-author",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=RESTCONF)",
    "service.ranking:Integer=-1000"
})
public final class AuthorFilter implements Filter {
    /** The header that says why. */
    static final String REASON = "X-Daqfabric-Reason";
    private static final int LONGEST_REASON = 500;

    @Override
    public void init(FilterConfig config) {
        // nothing to prepare
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        author(request).<IOException, ServletException>runs(() -> chain.doFilter(request, response));
    }

    @Override
    public void destroy() {
        // nothing is held
    }

    private static Author author(ServletRequest request) {
        return request instanceof HttpServletRequest http
            ? new Author(Optional.ofNullable(http.getUserPrincipal()).map(Principal::getName),
                Optional.ofNullable(http.getHeader(REASON)).flatMap(AuthorFilter::reason))
            : Author.UNKNOWN;
    }

    /** One line of text that is not too long; empty if nothing is left. */
    private static Optional<String> reason(String header) {
        String line = header.replaceAll("\\p{Cntrl}", " ").strip();
        return line.isEmpty() ? Optional.empty()
            : Optional.of(line.substring(0, Math.min(line.length(), LONGEST_REASON)));
    }
}
