package org.daqfabric.impl.northbound.request;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.audit.HttpFilter;
import org.daqfabric.impl.author.Condition;
import org.daqfabric.impl.author.FailedCommit;
import org.opendaylight.mdsal.dom.api.DOMRpcService;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactory;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.xml.XmlCodecFactory;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * Answers requests to RESTCONF about our modules, and for streams of events, that OpenDaylight would answer by a 500
 * without a reason. It comes after the filter that authenticates.
 */
@Component(service = Filter.class, property = {
    "osgi.http.whiteboard.filter.name=daqfabric-request",
    "osgi.http.whiteboard.filter.pattern=/*",
    "osgi.http.whiteboard.filter.asyncSupported:Boolean=true",
    "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=RESTCONF)",
    "service.ranking:Integer=-1001"
})
public final class RequestFilter extends HttpFilter {
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private final DOMSchemaService models;
    private final ServedRpcs served;
    private final Questions questions = new Questions();
    private volatile XmlCodecs xml;

    private record XmlCodecs(EffectiveModelContext model, XmlCodecFactory codecs) {
    }

    @Activate
    public RequestFilter(@Reference DOMSchemaService models, @Reference DOMRpcService rpcs) {
        this.models = models;
        served = new ServedRpcs(rpcs);
    }

    @Deactivate
    void deactivate() {
        served.close();
    }

    @Override
    protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<Target> target = target(request);
        Optional<Questions.Question> question = target.flatMap(known -> questions.of(known, request));
        if (question.isPresent()) {
            ask(question.get(), target.get(), request, response, chain);
        } else if (target.isPresent()) {
            answer(target.get(), request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private Optional<Target> target(HttpServletRequest request) {
        return WITH_BODY.contains(request.getMethod()) || request.getMethod().equals("DELETE")
            ? path(request).flatMap(path -> Target.of(models.getGlobalContext(), request.getMethod(), path))
            : Optional.empty();
    }

    /** The path below that of RESTCONF. */
    static Optional<String> path(HttpServletRequest request) {
        String root = request.getContextPath() == null ? "" : request.getContextPath();
        String path = request.getRequestURI();
        return path.startsWith(root) ? Optional.of(path.substring(root.length())) : Optional.empty();
    }

    /** The same, decoded, as it may be sent in many ways, and without a slash at its end. */
    static String decodedPath(HttpServletRequest request) {
        String path = path(request).orElse("");
        try {
            return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8).replaceFirst("/$", "");
        } catch (IllegalArgumentException e) {
            return path;
        }
    }

    private void ask(Questions.Question question, Target target, HttpServletRequest request,
            HttpServletResponse response, FilterChain chain) throws IOException, ServletException {
        Optional<Fault> refusal = question.begin();
        if (refusal.isPresent()) {
            document(target, request, refusal.get()).write(response);
        } else {
            AfterRequest.of((passed, answered) -> answer(target, (HttpServletRequest) passed,
                (HttpServletResponse) answered, chain), request, response, question::end);
        }
    }

    private void answer(Target target, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        final BooleanSupplier servedSince = served(target).map(served::since).orElse(() -> true);
        Optional<Fault> early = Content.reserved(target)
            .or(() -> served(target).filter(rpc -> !served.isServed(rpc)).map(RequestFilter::notServed));
        Condition condition = condition(target, request);
        if (early.isEmpty() && target.isRoot() && condition.isOnContent()) {
            early = Optional.of(Fault.precondition(target.addressed(), "the whole datastore has no tag: name a node"));
        }
        if (early.isPresent()) {
            document(target, request, early.get()).write(response);
            return;
        }
        HttpServletRequest passed = request;
        if (isRead(request)) {
            BufferedRequest buffered = new BufferedRequest(request);
            passed = buffered;
            Optional<Fault> fault = fault(target, request, buffered.body());
            if (fault.isPresent()) {
                document(target, request, fault.get()).write(response);
                return;
            }
            if (target.isRoot() && !isOurs(target, request, buffered.body())) {
                chain.doFilter(passed, response);
                return;
            }
        } else if (target.isRoot()) {
            chain.doFilter(request, response);
            return;
        }
        FailedCommit failed = new FailedCommit();
        HttpServletRequest last = passed;
        HttpServletResponse completed = new CompletedResponse(response, () -> failed.cause()
            .flatMap(cause -> RefusedCommit.fault(target.addressed(), cause, condition.isOnContent()))
            .or(() -> served(target).filter(rpc -> !servedSince.getAsBoolean()).map(RequestFilter::notServed))
            .map(fault -> document(target, request, fault)));
        failed.<IOException, ServletException>of(() ->
            condition.<IOException, ServletException>of(() -> chain.doFilter(last, completed)));
    }

    /** What the request demands before it changes anything; an rpc knows nothing of that. */
    private static Condition condition(Target target, HttpServletRequest request) {
        boolean makesNone = request.getMethod().equals("PATCH")
            && !String.valueOf(request.getContentType()).contains("yang-patch");
        return target.isOperation() ? Condition.of(null, null, null, 0, 0)
            : Condition.of(request.getHeader("If-Match"), request.getHeader("If-None-Match"),
                request.getHeader("If-Unmodified-Since"), target.depth().node(),
                makesNone ? target.depth().entry() : 0);
    }

    /** The rpc that is called, if it is one of ours: RESTCONF serves its own itself. */
    private static Optional<QName> served(Target target) {
        return target.rpc().filter(rpc -> Schemas.isOurs(rpc.getNamespace()));
    }

    private static Fault notServed(QName rpc) {
        return Fault.tryAgain("rpc " + rpc.getLocalName() + " is not served at this moment: the fabrics begin again, as"
            + " after a restore, or another controller becomes active. Ask again in a second");
    }

    /** One without a body need not say what it is written in. */
    private static boolean isRead(HttpServletRequest request) {
        String type = request.getContentType();
        return WITH_BODY.contains(request.getMethod()) && (type == null || Format.of(type).isPresent())
            || patch(request).isPresent();
    }

    /** What a patch (RFC 8072) is written in; empty if the request is none. */
    private static Optional<Format> patch(HttpServletRequest request) {
        return request.getMethod().equals("PATCH") ? Format.ofPatch(request.getContentType()) : Optional.empty();
    }

    /** Whether a body for the whole datastore is of one of our modules. */
    private static boolean isOurs(Target target, HttpServletRequest request, byte[] body) {
        return request.getMethod().equals("POST") && Format.of(request.getContentType())
            .filter(format -> switch (format) {
                case JSON -> JsonBody.isOurs(target, body);
                case XML -> XmlBody.isOurs(target, body);
            }).isPresent();
    }

    private Optional<Fault> fault(Target target, HttpServletRequest request, byte[] body) {
        JSONCodecFactory json = JSONCodecFactorySupplier.RFC7951.getShared(target.model());
        Optional<Format> patch = patch(request);
        if (patch.isPresent()) {
            // what is wrong with an edit in XML RESTCONF says
            return NodeCount.fault(target, patch.get(), body).or(() -> patch.get() == Format.XML ? Optional.empty()
                : PatchBody.fault(target.model(), json, path(request).orElseThrow(), body));
        }
        if (isLeft(target, request, body)) {
            return Optional.empty();
        }
        Format format = Format.of(request.getContentType()).orElse(Format.JSON);
        return NodeCount.fault(target, format, body).or(() -> switch (format) {
            case JSON -> JsonBody.fault(target, json, body);
            case XML -> XmlBody.fault(target, xmlCodecs(target.model()), body);
        });
    }

    /** Whether RESTCONF takes the body without harm, or has an answer of its own. */
    private static boolean isLeft(Target target, HttpServletRequest request, byte[] body) {
        if (target.isRoot()) {
            return !isOurs(target, request, body) && !(request.getMethod().equals("POST") && isNothing(request, body));
        }
        // it takes no body for an rpc for an empty input, which none of ours fails over
        return body.length == 0 ? served(target).isPresent() : request.getContentType() == null;
    }

    private static boolean isNothing(HttpServletRequest request, byte[] body) {
        return body.length == 0
            || Format.of(request.getContentType()).equals(Optional.of(Format.JSON)) && JsonBody.isNothing(body);
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
        return ErrorsDocument.of(target.model(), fault, request);
    }
}
