package org.daqfabric.impl.access;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import javax.servlet.http.HttpServletResponse;

/** Refuses a request as RESTCONF does (RFC 8040), which others can read as well. */
final class Refused {
    private Refused() {
    }

    static void write(HttpServletResponse response, int status, String tag, String message) throws IOException {
        JsonObject error = new JsonObject();
        error.addProperty("error-type", "protocol");
        error.addProperty("error-tag", tag);
        error.addProperty("error-message", message);
        JsonArray errors = new JsonArray();
        errors.add(error);
        JsonObject list = new JsonObject();
        list.add("error", errors);
        JsonObject document = new JsonObject();
        document.add("errors", list);
        response.setStatus(status);
        response.setContentType("application/yang-data+json");
        response.getWriter().write(document.toString());
    }
}
