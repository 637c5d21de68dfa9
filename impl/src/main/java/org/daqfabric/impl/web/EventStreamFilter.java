package org.daqfabric.impl.web;

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
 * Tells proxies not to keep event streams back. A stream never ends, and one that waits for more of it, or for enough
 * to compress, passes nothing on. It is in every context of the web server that serves streams or will.
 */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-event-stream",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=*)",
    "service.ranking:Integer=-1003"
})
public final class EventStreamFilter implements Filter {
    @Override
    public void init(FilterConfig config) {
        // nothing to prepare
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest asked && response instanceof HttpServletResponse answer
                && isForStream(asked)) {
            // of nginx, and of those that have taken it over
            answer.setHeader("X-Accel-Buffering", "no");
            // no-transform: not compressed on the way
            answer.setHeader("Cache-Control", "no-cache, no-transform");
        }
        chain.doFilter(request, response);
    }

    @Override
    public void destroy() {
        // nothing is held
    }

    /** Browsers say what they want; curl takes anything, and RESTCONF has only streams there. */
    private static boolean isForStream(HttpServletRequest request) {
        String accepted = request.getHeader("Accept");
        return accepted != null && accepted.contains("text/event-stream")
            || request.getRequestURI().startsWith("/rests/streams/");
    }
}
