package org.daqfabric.impl.northbound.request;

import java.util.Locale;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;

/** What a body is written in. */
enum Format {
    JSON, XML;

    /** That of a content type; empty if RESTCONF does not know it, or reads it as a patch (RFC 8072). */
    static Optional<Format> of(String contentType) {
        return switch (name(contentType)) {
            case "application/yang-data+json", "application/json" -> Optional.of(JSON);
            case "application/yang-data+xml", "application/xml", "text/xml" -> Optional.of(XML);
            default -> Optional.empty();
        };
    }

    /** That of the content type of a patch (RFC 8072); empty if it is none. */
    static Optional<Format> ofPatch(String contentType) {
        return switch (name(contentType)) {
            case "application/yang-patch+json" -> Optional.of(JSON);
            case "application/yang-patch+xml" -> Optional.of(XML);
            default -> Optional.empty();
        };
    }

    private static String name(String contentType) {
        return contentType == null ? "" : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    /** That which the client of a request wants; if it does not say, that of the request. */
    static Format wanted(HttpServletRequest request) {
        String accept = request.getHeader("Accept");
        String wanted = accept == null ? "" : accept.toLowerCase(Locale.ROOT);
        return wanted.contains("json") ? JSON : wanted.contains("xml") ? XML
            : of(request.getContentType()).or(() -> ofPatch(request.getContentType())).orElse(JSON);
    }
}
