package org.daqfabric.impl.web;

import javax.servlet.ServletException;
import org.opendaylight.aaa.web.WebContextSecurer;
import org.opendaylight.aaa.web.WebServer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Serves the page that shows a fabric and drains its switches and links: {@code /daqfabric/}. */
@Component(service = { }, immediate = true)
public final class Page {
    private final Site site;

    @Activate
    public Page(@Reference WebServer server, @Reference WebContextSecurer login) throws ServletException {
        site = new Site(server, login, "daqfabric", new PageServlet());
    }

    @Deactivate
    void stop() {
        site.close();
    }
}
