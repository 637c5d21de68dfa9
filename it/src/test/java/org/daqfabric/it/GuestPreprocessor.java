package org.daqfabric.it;

import java.io.IOException;
import java.util.Dictionary;
import java.util.Hashtable;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.service.http.whiteboard.Preprocessor;

/**
 * What another application may put before all requests of a controller's web server, before what others have there and
 * without a name, as the standard knows none: a mark in the answer. {@link GuestBundle} has it.
 */
public final class GuestPreprocessor implements BundleActivator, Preprocessor {
    static final String HEADER = "X-Guest";

    @Override
    public void start(final BundleContext context) {
        final Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("service.ranking", 5000);
        context.registerService(Preprocessor.class, this, properties);
    }

    @Override
    public void stop(final BundleContext context) {
        // what was registered goes with the bundle
    }

    @Override
    public void init(final FilterConfig config) {
        // nothing to prepare
    }

    @Override
    public void doFilter(final ServletRequest request, final ServletResponse response, final FilterChain chain)
            throws IOException, ServletException {
        ((HttpServletResponse) response).setHeader(HEADER, "passed");
        chain.doFilter(request, response);
    }

    @Override
    public void destroy() {
        // nothing is held
    }
}
