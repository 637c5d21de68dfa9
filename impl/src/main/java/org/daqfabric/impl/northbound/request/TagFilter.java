package org.daqfabric.impl.northbound.request;

import java.io.IOException;
import java.util.Set;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.audit.HttpFilter;
import org.daqfabric.impl.author.ReadNode;
import org.osgi.service.component.annotations.Component;

/**
 * Tells who reads our configuration its entity tag, and when the fabric was changed last, for requests that change it
 * only if nobody else has (RFC 8040, sections 3.4.1 and 3.5). Who has it already is told so (304).
 */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-tag",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=RESTCONF)",
    "service.ranking:Integer=-1002"
})
public final class TagFilter extends HttpFilter {
    static final Set<String> READING = Set.of("GET", "HEAD");

    @Override
    protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (READING.contains(request.getMethod())) {
            ReadNode read = new ReadNode();
            read.<IOException, ServletException>of(() ->
                chain.doFilter(request, new TaggedResponse(response, read, request.getHeader("If-None-Match"))));
        } else {
            chain.doFilter(request, response);
        }
    }
}
