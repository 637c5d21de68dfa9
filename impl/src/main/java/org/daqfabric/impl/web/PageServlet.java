package org.daqfabric.impl.web;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Serves the files of the bundle's folder {@code web} and nothing else: no requested name leads out of it. */
final class PageServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final String INDEX = "index.html";
    private static final Map<String, String> TYPES = Map.of(
        "html", "text/html; charset=utf-8",
        "js", "text/javascript; charset=utf-8",
        "css", "text/css; charset=utf-8",
        "svg", "image/svg+xml");

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getPathInfo();
        String name = path == null || path.equals("/") ? INDEX : path.substring(1);
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        try (InputStream file = type == null || !isPlain(name) ? null : open(name)) {
            if (file == null) {
                response.sendError(HttpServletResponse.SC_NOT_FOUND);
                return;
            }
            response.setContentType(type);
            // Revalidated each time, so that after an update of the controller no browser mixes old and new modules.
            response.setHeader("Cache-Control", "no-cache");
            response.setHeader("Content-Security-Policy",
                "default-src 'self'; base-uri 'none'; frame-ancestors 'none'");
            response.setHeader("X-Content-Type-Options", "nosniff");
            response.setHeader("Referrer-Policy", "no-referrer");
            file.transferTo(response.getOutputStream());
        }
    }

    private static InputStream open(String name) {
        return PageServlet.class.getResourceAsStream("/web/" + name);
    }

    private static boolean isPlain(String name) {
        return name.matches("[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*");
    }
}
