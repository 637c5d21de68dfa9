package org.daqfabric.impl.metrics;

import javax.servlet.ServletException;
import org.daqfabric.impl.web.Site;
import org.opendaylight.aaa.web.WebContextSecurer;
import org.opendaylight.aaa.web.WebServer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the metrics. A component apart from the controller: reconfiguring the login restarts this one and must not
 * stop the fabrics.
 */
@Component(service = { }, immediate = true)
public final class MetricsSite {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsSite.class);

    private final Site site;

    @Activate
    public MetricsSite(@Reference WebServer server, @Reference WebContextSecurer login, @Reference Metrics metrics) {
        site = open(server, login, metrics);
    }

    /** Null if it fails: a failed component would keep OpenDaylight from ever becoming ready for switches. */
    private static Site open(WebServer server, WebContextSecurer login, Metrics metrics) {
        try {
            return new Site(server, login, "metrics", new MetricsServlet(metrics::snapshots));
        } catch (ServletException e) {
            LOG.error("No metrics: /metrics/ cannot be served. See whether something else is served there", e);
            return null;
        }
    }

    @Deactivate
    void stop() {
        if (site != null) {
            site.close();
        }
    }
}
