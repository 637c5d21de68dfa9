package org.daqfabric.impl.northbound.request;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.author.FailedCommit;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.xml.XmlCodecFactory;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Answers requests to RESTCONF about our modules that OpenDaylight would answer by a 500 without a reason. It comes
 * after the filter that authenticates.
 */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-request",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=RESTCONF)",
    "service.ranking:Integer=-1001"
})
public final class RequestFilter implements Filter {
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private final DOMSchemaService models;
    private volatile XmlCodecs xml;

    private record XmlCodecs(EffectiveModelContext model, XmlCodecFactory codecs) {
    }

    @Activate
    public RequestFilter(@Reference DOMSchemaService models) {
        this.models = models;
    }

    @Override
    public void init(FilterConfig config) {
        // nothing to prepare
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<Target> target = request instanceof HttpServletRequest http ? target(http) : Optional.empty();
        if (target.isPresent() && response instanceof HttpServletResponse http) {
            answer(target.get(), (HttpServletRequest) request, http, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    @Override
    public void destroy() {
        // nothing is held
    }

    private Optional<Target> target(HttpServletRequest request) {
        String root = request.getContextPath() == null ? "" : request.getContextPath();
        String path = request.getRequestURI();
        return (WITH_BODY.contains(request.getMethod()) || request.getMethod().equals("DELETE"))
            && path.startsWith(root)
            ? Target.of(models.getGlobalContext(), request.getMethod(), path.substring(root.length()))
            : Optional.empty();
    }

    private void answer(Target target, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<Fault> reserved = Content.reserved(target);
        if (reserved.isPresent()) {
            document(target, request, reserved.get()).write(response);
            return;
        }
        Optional<Format> format = Format.of(request.getContentType());
        HttpServletRequest passed = request;
        // one without a body need not say what it is written in
        if (WITH_BODY.contains(request.getMethod()) && (format.isPresent() || request.getContentType() == null)) {
            BufferedRequest buffered = new BufferedRequest(request);
            passed = buffered;
            byte[] body = buffered.body();
            if (target.isRoot() && (format.isEmpty() || !isOurs(target, format.get(), body))) {
                chain.doFilter(passed, response);
                return;
            }
            Optional<Fault> fault = format.isPresent() || body.length == 0
                ? fault(target, format.orElse(Format.JSON), body) : Optional.empty();
            if (fault.isPresent()) {
                document(target, request, fault.get()).write(response);
                return;
            }
        } else if (target.isRoot()) {
            chain.doFilter(request, response);
            return;
        }
        FailedCommit failed = new FailedCommit();
        HttpServletRequest last = passed;
        HttpServletResponse completed = new CompletedResponse(response, () -> failed.cause()
            .flatMap(cause -> RefusedCommit.fault(target.addressed(), cause))
            .map(fault -> document(target, request, fault)));
        failed.<IOException, ServletException>of(() -> chain.doFilter(last, completed));
    }

    private static boolean isOurs(Target target, Format format, byte[] body) {
        return switch (format) {
            case JSON -> JsonBody.isOurs(target, body);
            case XML -> XmlBody.isOurs(target, body);
        };
    }

    private Optional<Fault> fault(Target target, Format format, byte[] body) {
        if (body.length == 0 && target.isOperation()) {
            return Optional.empty(); // RESTCONF takes it for an empty input
        }
        return switch (format) {
            case JSON -> JsonBody.fault(target, JSONCodecFactorySupplier.RFC7951.getShared(target.model()), body);
            case XML -> XmlBody.fault(target, xmlCodecs(target.model()), body);
        };
    }

    private XmlCodecFactory xmlCodecs(EffectiveModelContext model) {
        XmlCodecs known = xml;
        if (known == null || known.model != model) {
            known = new XmlCodecs(model, XmlCodecFactory.create(model));
            xml = known;
        }
        return known.codecs;
    }

    private static ErrorsDocument document(Target target, HttpServletRequest request, Fault fault) {
        return ErrorsDocument.of(target.model(), fault, Format.wanted(request) == Format.JSON);
    }
}
