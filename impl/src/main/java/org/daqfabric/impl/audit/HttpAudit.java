package org.daqfabric.impl.audit;

import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** The line about one request over HTTP, which is written when the request has been answered. */
final class HttpAudit implements AsyncListener {
    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
    private static final int UNAUTHORIZED = 401;
    private static final int FAILED = 500;
    private static final String BASIC = "Basic ";

    private final Instant begin = Instant.now();
    private final AtomicBoolean written = new AtomicBoolean();
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final Optional<ObservedBody> body;
    /** Asked for now: who has hung up has no address any more. */
    private final String from;

    /**
     * A request that begins.
     *
     * @param body what is kept of its body; empty if nothing is
     */
    HttpAudit(HttpServletRequest request, HttpServletResponse response, Optional<ObservedBody> body) {
        this.request = request;
        this.response = response;
        this.body = body;
        from = request.getRemoteAddr() + ":" + request.getRemotePort();
    }

    void answered() {
        write(response.getStatus());
    }

    void failed() {
        write(response.isCommitted() ? response.getStatus() : FAILED);
    }

    private void write(int status) {
        if (written.compareAndSet(false, true)) {
            JsonObject entry = entry(status);
            if (status == UNAUTHORIZED || READS.contains(request.getMethod())) {
                AuditLog.read(entry);
            } else {
                AuditLog.changed(entry);
            }
        }
    }

    private JsonObject entry(int status) {
        JsonObject entry = new JsonObject();
        entry.addProperty("time", begin.truncatedTo(ChronoUnit.MILLIS).toString());
        entry.addProperty("via", request.isSecure() ? "https" : "http");
        entry.addProperty("from", from);
        Optional<String> user = Optional.ofNullable((String) request.getAttribute(UserFilter.USER));
        AuditLog.add(entry, "user", user);
        if (user.isEmpty()) {
            AuditLog.add(entry, "claimed-user", claimed());
        }
        AuditLog.add(entry, "method", Optional.of(request.getMethod()));
        AuditLog.add(entry, "path", Optional.of(request.getRequestURI() + (request.getQueryString() == null ? ""
            : "?" + request.getQueryString())));
        AuditLog.add(entry, "reason", Optional.ofNullable(request.getHeader("X-Daqfabric-Reason")));
        AuditLog.add(entry, "body", body.map(ObservedBody::text));
        entry.addProperty("status", status);
        entry.addProperty("milliseconds", begin.until(Instant.now(), ChronoUnit.MILLIS));
        return entry;
    }

    /** Whom somebody said to be who was not let in. */
    private Optional<String> claimed() {
        return Optional.ofNullable(request.getHeader("Authorization"))
            .filter(header -> header.regionMatches(true, 0, BASIC, 0, BASIC.length())).flatMap(header -> {
                try {
                    String login = new String(Base64.getDecoder().decode(header.substring(BASIC.length()).strip()),
                        StandardCharsets.UTF_8);
                    int colon = login.indexOf(':');
                    return colon < 0 ? Optional.empty() : Optional.of(login.substring(0, colon));
                } catch (IllegalArgumentException e) {
                    return Optional.empty();
                }
            });
    }

    @Override
    public void onComplete(AsyncEvent event) {
        answered();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        // it is completed next
    }

    @Override
    public void onError(AsyncEvent event) {
        failed();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
