package org.daqfabric.impl.audit;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** The line about one request to the web server, which is written when the request has been answered. */
final class HttpAudit implements AsyncListener {
    private static final int FAILED = 500;

    private final AtomicBoolean written = new AtomicBoolean();
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    /** Read now: who has hung up has no address any more. */
    private final AskedRequest asked;
    private final Optional<ObservedBody> body;

    /** A request that begins. */
    HttpAudit(HttpServletRequest request, HttpServletResponse response) {
        this.request = request;
        this.response = response;
        asked = new AskedRequest(AskedRequest.Begin.now(), request.isSecure(),
            request.getRemoteAddr() + ":" + request.getRemotePort(), request.getMethod(),
            request.getRequestURI() + (request.getQueryString() == null ? "" : "?" + request.getQueryString()),
            Optional.ofNullable(request.getHeader("Authorization")),
            Optional.ofNullable(request.getHeader(AskedRequest.REASON)));
        body = asked.showsBody() ? Optional.of(new ObservedBody(request)) : Optional.empty();
    }

    /** The request as it is to be passed on. */
    HttpServletRequest request() {
        return body.isPresent() ? body.get() : request;
    }

    void answered() {
        write(response.getStatus());
    }

    void failed() {
        write(response.isCommitted() ? response.getStatus() : FAILED);
    }

    private void write(int status) {
        if (written.compareAndSet(false, true)) {
            asked.answered(status, UserFilter.user(request),
                body.map(ObservedBody::text), AuditMark.isSet(request));
        }
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
