package org.daqfabric.impl.audit;

import java.io.IOException;
import java.util.Set;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A filter of the web server for requests over HTTP; what is none passes. */
public abstract class HttpFilter implements Filter {
    /** The methods that change nothing. */
    public static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

    @Override
    public final void init(FilterConfig config) {
        // nothing to prepare
    }

    @Override
    public final void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest asked && response instanceof HttpServletResponse answer) {
            filter(asked, answer, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    /** Answers the request, or passes it on. */
    protected abstract void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException;

    @Override
    public final void destroy() {
        // nothing is held
    }
}
