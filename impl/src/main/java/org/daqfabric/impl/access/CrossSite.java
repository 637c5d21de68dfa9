package org.daqfabric.impl.access;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.servlet.http.HttpServletRequest;
import org.daqfabric.impl.audit.HttpFilter;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Whether a request was made by a page of somebody else in a user's browser, which adds the user's login by itself.
 * Browsers say where a request comes from in {@code Sec-Fetch-Site} (Fetch Metadata Request Headers, W3C), also of
 * another port of the same host; before that they said it in {@code Origin} (RFC 6454), but not in all requests.
 * Programs say neither.
 *
 * @param site the header {@code Sec-Fetch-Site}, null if there is none
 * @param origin the header {@code Origin}, null if there is none
 * @param host the header {@code Host}, as the browser knows this server, null if there is none
 * @param type the header {@code Content-Type}, null if there is none
 */
record CrossSite(@Nullable String site, @Nullable String origin, @Nullable String host, @Nullable String type) {
    /** This page, or no page at all: an address that the user typed. */
    private static final Set<String> OWN = Set.of("same-origin", "none");
    /** What forms of any page can send without asking the server first. */
    private static final Set<String> OF_FORMS =
        Set.of("application/x-www-form-urlencoded", "multipart/form-data", "text/plain");

    static CrossSite of(HttpServletRequest request) {
        return new CrossSite(request.getHeader("Sec-Fetch-Site"), request.getHeader("Origin"),
            request.getHeader("Host"), request.getHeader("Content-Type"));
    }

    /** Whether nothing says that a page of another site made it. */
    boolean isOwn() {
        return site != null ? OWN.contains(site.toLowerCase(Locale.ROOT)) : origin == null || isOwn(origin);
    }

    /** Why a request is refused; empty if it may pass. */
    Optional<String> refusal(String method) {
        // they change nothing, and other pages cannot read their answers
        if (HttpFilter.READS.contains(method)) {
            return Optional.empty();
        }
        if (!isOwn()) {
            return Optional.of("the browser says that a page of another site made it ("
                + (site != null ? "Sec-Fetch-Site: " + site : "Origin: " + origin) + ")");
        }
        if (site != null || origin != null) {
            return Optional.empty();
        }
        return type != null && OF_FORMS.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
            ? Optional.of("forms of any page can send a body of content type " + type
                + ": name the body's own, such as application/yang-data+json")
            : Optional.empty();
    }

    /** Whatever the scheme is: a proxy may have ended HTTPS. */
    private boolean isOwn(String from) {
        try {
            String authority = new URI(from).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
