package org.daqfabric.impl.northbound.request;

import com.google.common.base.Suppliers;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.async.Repeating;
import org.daqfabric.impl.audit.HttpFilter;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.restconf.server.spi.RestconfStream;
import org.osgi.service.component.ComponentServiceObjects;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * Refuses to make more streams of events, and to read more of them at a time, than a share allows ({@link Streams}). It
 * comes after the filter that refuses what RESTCONF cannot carry out.
 */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-streams",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=RESTCONF)",
    "service.ranking:Integer=-1003"
})
public final class StreamFilter extends HttpFilter {
    private static final String READ = "/streams/";
    private static final String CALLED = "/operations/";
    private static final long PAUSE_SECONDS = 10;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-streams").factory());
    private final DOMSchemaService models;
    private final Streams streams;

    /**
     * Begins.
     *
     * @param registries asked at the first stream only: OpenDaylight's registry takes the data broker that there is
     *        when it begins, and while the datastore starts that may be the one for requests, which takes no state
     */
    @Activate
    public StreamFilter(@Reference DOMSchemaService models,
            @Reference ComponentServiceObjects<RestconfStream.Registry> registries) {
        this(models, new Streams(new RegisteredStreams(Suppliers.memoize(registries::getService)), System::nanoTime));
        thread.scheduleWithFixedDelay(new Repeating("ending streams that nobody reads", thread, streams::endUnread),
            PAUSE_SECONDS, PAUSE_SECONDS, TimeUnit.SECONDS);
    }

    StreamFilter(DOMSchemaService models, Streams streams) {
        this.models = models;
        this.streams = streams;
    }

    @Deactivate
    void deactivate() {
        thread.shutdownNow();
    }

    @Override
    protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String path = RequestFilter.decodedPath(request);
        if (TagFilter.READING.contains(request.getMethod()) && path.startsWith(READ)) {
            read(request, response, path.substring(path.lastIndexOf('/') + 1), chain);
        } else if (request.getMethod().equals("POST") && path.startsWith(CALLED)
                && StreamRpcs.include(path.substring(CALLED.length()))) {
            make(request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void read(HttpServletRequest request, HttpServletResponse response, String name, FilterChain chain)
            throws IOException, ServletException {
        Shares.Owner owner = Shares.Owner.of(request);
        Optional<String> refusal = streams.begin(owner, name);
        if (refusal.isPresent()) {
            refuse(request, response, refusal.get());
        } else {
            AfterRequest.of(chain, request, response, () -> streams.end(owner));
        }
    }

    private void make(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        BufferedRequest buffered = new BufferedRequest(request);
        switch (streams.ask(asked(buffered))) {
            case Streams.Outcome.Same same -> same.answer().write(response);
            case Streams.Outcome.Refused refused -> refuse(request, response, refused.why());
            case Streams.Outcome.Allowed allowed -> {
                RecordedResponse recorded = new RecordedResponse(response);
                AfterRequest.of(chain, buffered, recorded, () -> allowed.making().answered(recorded.answer()));
            }
        }
    }

    /** Who repeats a request, as its answer was lost, sends the same again. */
    private static Streams.Asked asked(BufferedRequest request) {
        String head = String.join("\n", request.getRequestURI(), String.valueOf(request.getQueryString()),
            String.valueOf(request.getContentType()), String.valueOf(request.getHeader("Accept")), "");
        return new Streams.Asked(Shares.Owner.of(request), Hashing.sha256().newHasher()
            .putString(head, StandardCharsets.UTF_8).putBytes(request.body()).hash().toString());
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, String why) throws IOException {
        ErrorsDocument.of(models.getGlobalContext(), Fault.tryAgain(why), request).write(response);
    }
}
