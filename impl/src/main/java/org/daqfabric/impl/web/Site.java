package org.daqfabric.impl.web;

import javax.servlet.Servlet;
import javax.servlet.ServletException;
import org.opendaylight.aaa.web.ServletDetails;
import org.opendaylight.aaa.web.WebContext;
import org.opendaylight.aaa.web.WebContextSecurer;
import org.opendaylight.aaa.web.WebServer;
import org.opendaylight.yangtools.concepts.Registration;

/**
 * A context path of OpenDaylight's web server, served by one servlet to users who can log in to RESTCONF. Others get a
 * 401 before the servlet is called. A request without the slash at the end is redirected to the path with it, by the
 * web server and before any filter; {@code etc/jetty.xml} says that it names neither scheme nor host.
 */
public final class Site implements AutoCloseable {
    private final Registration registration;

    /**
     * Opens the site.
     *
     * @param name without slashes; the path is {@code /name/}, and the rest of it is the path info of the servlet
     */
    public Site(WebServer server, WebContextSecurer login, String name, Servlet servlet) throws ServletException {
        WebContext.Builder context = WebContext.builder()
            .name("daqfabric-" + name)
            .contextPath("/" + name)
            .supportsSessions(false)
            .addServlet(ServletDetails.builder().name("daqfabric-" + name).servlet(servlet).addUrlPattern("/*")
            .build());
        login.requireAuthentication(context, "/*");
        registration = server.registerWebContext(context.build());
    }

    @Override
    public void close() {
        registration.close();
    }
}
