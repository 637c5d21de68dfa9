package org.daqfabric.impl.web;

import javax.servlet.Servlet;
import javax.servlet.ServletException;
import org.opendaylight.aaa.web.ServletDetails;
import org.opendaylight.aaa.web.WebContext;
import org.opendaylight.aaa.web.WebContextSecurer;
import org.opendaylight.aaa.web.WebServer;
import org.opendaylight.yangtools.concepts.Registration;

/**
 * A path of the controller's web server with all below it, answered by a servlet, for those who can log in to RESTCONF.
 * Everybody else is answered 401 before the servlet hears of it. Who asks for the path without a slash at its end is sent
 * to the one with it.
 */
public final class Site implements AutoCloseable {
    private final Registration registration;

    /**
     * Opens the site.
     *
     * @param name without slashes; the path is {@code /name/}, and the servlet sees what comes after it as its path info
     */
    public Site(WebServer server, WebContextSecurer login, String name, Servlet servlet) throws ServletException {
        WebContext.Builder context = WebContext.builder()
            .name("daqfabric-" + name)
            .contextPath("/" + name)
            .supportsSessions(false)
            .addServlet(ServletDetails.builder().name("daqfabric-" + name).servlet(servlet).addUrlPattern("/*").build());
        login.requireAuthentication(context, "/*");
        registration = server.registerWebContext(context.build());
    }

    @Override
    public void close() {
        registration.close();
    }
}
