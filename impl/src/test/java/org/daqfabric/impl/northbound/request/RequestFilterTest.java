package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.same;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.google.common.util.concurrent.Futures;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.servlet.FilterChain;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.audit.SentBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opendaylight.mdsal.common.api.OptimisticLockFailedException;
import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;
import org.opendaylight.mdsal.dom.api.DOMRpcAvailabilityListener;
import org.opendaylight.mdsal.dom.api.DOMRpcIdentifier;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.mdsal.dom.broker.DOMRpcRouter;
import org.opendaylight.mdsal.dom.broker.RouterDOMRpcProviderService;
import org.opendaylight.mdsal.dom.broker.RouterDOMRpcService;
import org.opendaylight.mdsal.dom.spi.FixedDOMSchemaService;
import org.opendaylight.netconf.api.NetconfDocumentedException;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Plan;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Decisions;
import org.opendaylight.yangtools.binding.runtime.spi.BindingRuntimeHelpers;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorSeverity;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.tree.api.ModifiedNodeDoesNotExistException;

/** The filter answers what RESTCONF could not, and passes on everything else as it is. */
class RequestFilterTest {
    private static final String PLAN = "/rests/operations/daqfabric-operations:plan";

    private final HttpServletResponse response = mock(HttpServletResponse.class);
    private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
    private final FilterChain restconf = mock(FilterChain.class);
    private DOMRpcRouter router;
    private Registration plan;
    private RequestFilter filter;

    @BeforeEach
    void open() throws IOException {
        DOMSchemaService models = new FixedDOMSchemaService(BindingRuntimeHelpers.createRuntimeContext(Fabrics.class,
            Plan.class, Decisions.class).modelContext());
        router = new DOMRpcRouter(models);
        plan = new RouterDOMRpcProviderService(router).registerRpcImplementations(Map.of(
            DOMRpcIdentifier.create(Plan.QNAME), (name, input) -> Futures.immediateCancelledFuture()));
        filter = new RequestFilter(models, new RouterDOMRpcService(router));
        when(response.getOutputStream()).thenReturn(new WrittenBody(answer));
    }

    @AfterEach
    void close() {
        filter.deactivate();
        router.close();
    }

    private static HttpServletRequest request(String method, String path, String type, String body)
            throws IOException {
        HttpServletRequest request = mock(HttpServletRequest.class);
        when(request.getMethod()).thenReturn(method);
        when(request.getContextPath()).thenReturn("/rests");
        when(request.getRequestURI()).thenReturn(path);
        when(request.getContentType()).thenReturn(type);
        when(request.getInputStream()).thenReturn(new SentBody(body));
        return request;
    }

    private String answer() {
        return answer.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aBadBodyNeverReachesRestconf() throws Exception {
        filter.doFilter(request("POST", PLAN, "application/yang-data+json; charset=utf-8", "{\"input\":{\"x\":1}}"),
            response, restconf);
        verify(restconf, never()).doFilter(any(), any());
        verify(response).setStatus(400);
        verify(response).setContentType("application/yang-data+json");
        assertThat(answer()).contains("\"error-tag\":\"unknown-element\"",
            "\"error-path\":\"/daqfabric-operations:input/x\"", "/input/x: there is no such node");
    }

    /** Withdraws the rpc until that is told: the filter, which listened before this, is told before. */
    private void withdraw() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        try (Registration last = new RouterDOMRpcService(router).registerRpcListener(new DOMRpcAvailabilityListener() {
            @Override
            public void onRpcAvailable(Collection<DOMRpcIdentifier> begun) {
                // is told at first
            }

            @Override
            public void onRpcUnavailable(Collection<DOMRpcIdentifier> ended) {
                told.countDown();
            }
        })) {
            plan.close();
            assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** RESTCONF would answer by a 500. */
    @Test
    void anRpcThatNobodyServesIsToBeAskedAgain() throws Exception {
        withdraw();
        filter.doFilter(request("POST", PLAN, "application/json", "{\"input\":{}}"), response, restconf);
        verify(restconf, never()).doFilter(any(), any());
        verify(response).setStatus(409);
        assertThat(answer()).contains("resource-denied", "\"error-app-tag\":\"try-again\"",
            "rpc plan is not served at this moment", "Ask again");
    }

    @Test
    void anRpcThatIsWithdrawnMeanwhileIsToBeAskedAgain() throws Exception {
        filter.doFilter(request("POST", PLAN, "application/json", "{\"input\":{}}"), response, (passed, wrapped) -> {
            plan.close();
            ((HttpServletResponse) wrapped).setStatus(500);
        });
        verify(response, never()).setStatus(500);
        verify(response).setStatus(409);
        assertThat(answer()).contains("resource-denied", "rpc plan is not served at this moment");
    }

    /** RESTCONF would answer by a 500. */
    @Test
    void nothingAtTheRootIsToldWhatToGive() throws Exception {
        for (String path : new String[] { "/rests/data", "/rests/data/" }) {
            for (String[] each : new String[][] { { null, "" }, { "application/yang-data+json", "" },
                { "application/xml", "" }, { "application/json", "{}" }, { "application/json", "[]" } }) {
                answer.reset();
                filter.doFilter(request("POST", path, each[0], each[1]), response, restconf);
                assertThat(answer()).as("%s %s", each[0], each[1]).contains("malformed-message", "/: ");
            }
            assertThat(answer()).contains("/: the body is empty: give what is to be created, as in");
        }
        verify(restconf, never()).doFilter(any(), any());
        verify(response, times(10)).setStatus(400);
        filter.doFilter(request("POST", "/rests/data", "application/json", "{\"other:x\":{}}"), response, restconf);
        verify(restconf).doFilter(any(), same(response));
    }

    @Test
    void aPatchIsReadAndPassedOn() throws Exception {
        String patch = "{\"ietf-yang-patch:yang-patch\":{\"patch-id\":\"1\",\"edit\":[{\"edit-id\":\"1\","
            + "\"operation\":\"merge\",\"target\":\"/daqfabric:fabrics/fabric=f/mtu\","
            + "\"value\":{\"daqfabric:mtu\":%s}}]}}";
        filter.doFilter(request("PATCH", "/rests/data", "application/yang-patch+json", patch.formatted("1500")),
            response, (passed, same) -> assertThat(passed.getInputStream().readAllBytes())
                .isEqualTo(patch.formatted("1500").getBytes(StandardCharsets.UTF_8)));
        verify(response, never()).setStatus(anyInt());
        filter.doFilter(request("PATCH", "/rests/data", "application/yang-patch+json; charset=utf-8",
            patch.formatted("null")), response, restconf);
        verify(restconf, never()).doFilter(any(), any());
        verify(response).setStatus(400);
        assertThat(answer()).contains("\"error-path\":\"/daqfabric:fabrics/fabric[name='f']/mtu\"");
    }

    /** In either format, and also for the root, whose data RESTCONF takes without us. */
    @ParameterizedTest
    @CsvSource({ "/rests/data, xml", "/rests/data, json", "/rests/data/daqfabric:fabrics, xml",
        "/rests/data/daqfabric:fabrics, json" })
    void aPatchOfTooManyNodesIsNotRead(String path, String format) throws Exception {
        String patch = format.equals("xml") ? "<yang-patch xmlns='urn:ietf:params:xml:ns:yang:ietf-yang-patch'>"
            + "<edit/>".repeat(NodeCount.MOST) + "</yang-patch>"
            : "{\"ietf-yang-patch:yang-patch\":{\"edit\":[" + "{},".repeat(NodeCount.MOST) + "{}]}}";
        filter.doFilter(request("PATCH", path, "application/yang-patch+" + format, patch), response, restconf);
        verify(restconf, never()).doFilter(any(), any());
        verify(response).setStatus(413);
        verify(response).setContentType("application/yang-data+" + format);
        assertThat(answer()).contains("too-big", "more than " + NodeCount.MOST + " nodes");
    }

    @Test
    void aPatchInXmlIsPassedOn() throws Exception {
        String patch = "<yang-patch xmlns='urn:ietf:params:xml:ns:yang:ietf-yang-patch'><edit/></yang-patch>";
        filter.doFilter(request("PATCH", "/rests/data/daqfabric:fabrics", "application/yang-patch+xml", patch),
            response, (passed, same) -> assertThat(passed.getInputStream().readAllBytes())
                .isEqualTo(patch.getBytes(StandardCharsets.UTF_8)));
        verify(response, never()).setStatus(anyInt());
    }

    /** Who sends no body often says nothing of its type either. */
    @Test
    void aPutWithoutABodyIsToldHowToBegin() throws Exception {
        filter.doFilter(request("PUT", "/rests/data/daqfabric:fabrics/fabric=f/mtu", null, ""), response, restconf);
        verify(restconf, never()).doFilter(any(), any());
        verify(response).setStatus(400);
        assertThat(answer()).contains("malformed-message", "the body is empty: begin it with");
    }

    @Test
    void theAnswerIsInTheFormatThatTheClientWants() throws Exception {
        HttpServletRequest request = request("PUT", "/rests/data/daqfabric:fabrics/fabric=f/mtu",
            "application/yang-data+json", "{\"daqfabric:mtu\":\"<\"}");
        when(request.getHeader("Accept")).thenReturn("application/yang-data+xml");
        filter.doFilter(request, response, restconf);
        verify(response).setContentType("application/yang-data+xml");
        assertThat(answer()).contains("<errors xmlns=\"urn:ietf:params:xml:ns:yang:ietf-restconf\">",
            "<error-path xmlns:daqfabric=\"urn:daqfabric\">"
                + "/daqfabric:fabrics/daqfabric:fabric[daqfabric:name='f']/daqfabric:mtu</error-path>",
            "/daqfabric:fabrics/fabric[name='f']/mtu: '&lt;' is not a whole number from 576 to 65535");
    }

    /** RESTCONF reads the body that the filter read. */
    @Test
    void aGoodBodyIsPassedOn() throws Exception {
        String body = "{\"input\":{\"fabric\":\"f\"}}";
        filter.doFilter(request("POST", PLAN, "application/json", body), response, (passed, same) -> assertThat(
            passed.getInputStream().readAllBytes()).isEqualTo(body.getBytes(StandardCharsets.UTF_8)));
        verify(response, never()).setStatus(anyInt());
    }

    /** Other applications of the same OpenDaylight are answered by nobody but RESTCONF. */
    @Test
    void whatIsNotOursIsNotEvenWrapped() throws Exception {
        for (String path : new String[] { "/rests/data/other:x", "/rests/operations/other:x", "/rests/data" }) {
            HttpServletRequest request = request("PUT", path, "application/json", "{");
            filter.doFilter(request, response, restconf);
            verify(restconf).doFilter(same(request), same(response));
            verify(request, never()).getInputStream();
        }
        HttpServletRequest get = request("GET", "/rests/data/daqfabric:fabrics", null, "");
        filter.doFilter(get, response, restconf);
        verify(restconf).doFilter(same(get), same(response));
    }

    /** A failure that is the server's stays one. */
    @Test
    void failuresOfTheServerStay() throws Exception {
        filter.doFilter(request("DELETE", "/rests/data/daqfabric:fabrics/fabric=f", null, ""), response,
            (passed, wrapped) -> ((HttpServletResponse) wrapped).sendError(500));
        verify(response).sendError(500);
        verify(response, never()).setContentType(anyString());
    }

    /** Whatever the body is, and whatever it says it is: it is not read. */
    @Test
    void whatIsReservedNeverReachesRestconf() throws Exception {
        for (String[] each : new String[][] {
            { "PUT", "daqfabric-store:decisions", "403", "access-denied", "rpc rebalance" },
            { "PATCH", "daqfabric-store:partitions/partition=p", "403", "access-denied", "daqfabric-run-control" },
            { "POST", "daqfabric-store:history/fabric=f", "403", "access-denied", "rpc roll-back" },
            { "DELETE", "daqfabric:fabrics/daqfabric-store:write=1", "403", "access-denied", "X-Daqfabric-Reason" },
            { "PUT", "daqfabric:fabrics/fabric=f/state/phase", "400", "invalid-value", "this is state" },
            { "DELETE", "daqfabric:pending-removals", "400", "invalid-value", "this is state" } }) {
            answer.reset();
            HttpServletRequest request = request(each[0], "/rests/data/" + each[1], "application/yang-patch+json", "{");
            filter.doFilter(request, response, restconf);
            verify(restconf, never()).doFilter(any(), any());
            verify(request, never()).getInputStream();
            assertThat(answer()).contains("\"error-tag\":\"" + each[3], "\"error-path\":\"/daqfabric", each[4]);
        }
        verify(response, times(4)).setStatus(403);
        verify(response, times(2)).setStatus(400);
    }

    @Test
    void whatIsReservedIsFoundInABody() throws Exception {
        filter.doFilter(request("PATCH", "/rests/data/daqfabric:fabrics", "application/json",
            "{\"daqfabric:fabrics\":{\"daqfabric-store:write\":[{\"id\":\"1\",\"user\":\"x\"}]}}"), response, restconf);
        filter.doFilter(request("POST", "/rests/data", "application/json", "{\"daqfabric-store:removals\":{}}"),
            response, restconf);
        verify(restconf, never()).doFilter(any(), any());
        verify(response, times(2)).setStatus(403);
        assertThat(answer()).contains("/daqfabric:fabrics/daqfabric-store:write[id='1']: this is the controller's own",
            "/daqfabric-store:removals: this is the controller's own");
    }

    @Test
    void aBetterAnswerGoesInThePlaceOfAFailure() throws Exception {
        ErrorsDocument better = new ErrorsDocument(409, "text/x", new byte[] { 'b' });
        CompletedResponse completed = new CompletedResponse(response, () -> Optional.of(better));
        completed.setStatus(500);
        completed.setHeader("Content-Length", "7");
        completed.setContentType("text/y");
        completed.getOutputStream().write("failure".getBytes(StandardCharsets.UTF_8));
        verify(response).setStatus(409);
        verify(response).setContentType("text/x");
        verify(response, never()).setHeader(anyString(), anyString());
        assertThat(answer()).isEqualTo("b");
    }

    /** The cohort's reason for a refusal, and a collision of two writes, are the request's faults; nothing else is. */
    @Test
    void whyTheDatastoreDidNotTakeAWrite() {
        Place place = new Place("/daqfabric:fabrics/fabric[name='f']/pod[id='1']", "", Optional.empty());
        Throwable refusal = new TransactionCommitFailedException("canCommit failed", new NetconfDocumentedException(
            "/daqfabric:fabrics/fabric[name='f']/plane[id='1']: needs pod 1", ErrorType.APPLICATION,
            ErrorTag.INVALID_VALUE, ErrorSeverity.ERROR));
        assertThat(fault(place, refusal)).contains(new Fault(ErrorType.APPLICATION, ErrorTag.IN_USE,
            place.path(), "/daqfabric:fabrics/fabric[name='f']/plane[id='1']: needs pod 1"));
        assertThat(fault(place, new OptimisticLockFailedException("collided")))
            .hasValueSatisfying(fault -> assertThat(fault.message()).startsWith(place.path() + ": another request"))
            .hasValueSatisfying(fault -> assertThat(fault.status()).isEqualTo(409));
        assertThat(fault(place, new TransactionCommitFailedException("canCommit failed",
            new TimeoutException("Backend timeout in state CAN_COMMIT_PENDING after 11465ms"))))
            .hasValueSatisfying(fault -> assertThat(fault.message()).endsWith("has stored nothing of this: repeat it"))
            .hasValueSatisfying(fault -> assertThat(fault.status()).isEqualTo(409));
        assertThat(fault(place, new TransactionCommitFailedException("Data did not pass validation",
            new ModifiedNodeDoesNotExistException(YangInstanceIdentifier.of(NodeIdentifierWithPredicates.of(
                QName.create(Fabrics.QNAME, "pod"), QName.create(Fabrics.QNAME, "id"), 2)), "does not exist"))))
            .contains(new Fault(
            ErrorType.APPLICATION, ErrorTag.DATA_MISSING, place.path(), place.path()
                + ": there is no pod[id='2'] to change anything in: create it first"));
        assertThat(fault(place, new TransactionCommitFailedException("no leader"))).isEmpty();
        assertThat(fault(place, new TransactionCommitFailedException("no answer",
            new TimeoutException("no answer for 30 s")))).isEmpty();
    }

    private static Optional<Fault> fault(Place place, Throwable failure) {
        return RefusedCommit.fault(place, failure, false);
    }

    /** What collides with a request that demands that nobody changes the node is what it asked to be told. */
    @Test
    void whatARequestDemandedIsTold() throws IOException {
        Place place = Target.of(BindingRuntimeHelpers.createRuntimeContext(Fabrics.class).modelContext(), "PUT",
            "/data/daqfabric:fabrics/fabric=f").orElseThrow().addressed();
        assertThat(RefusedCommit.fault(place, new OptimisticLockFailedException("collided"), true))
            .hasValueSatisfying(fault -> assertThat(fault.status()).isEqualTo(412))
            .hasValueSatisfying(fault -> assertThat(fault.message()).contains("at the same time"));
    }

    private static Target.Depth depth(String path) {
        return Target.of(BindingRuntimeHelpers.createRuntimeContext(Fabrics.class).modelContext(), "PUT",
            "/data/daqfabric:fabrics" + path).orElseThrow().depth();
    }

    /** As many as the datastore's path has: a list and its entry, and the choice that a leaf is in. */
    @Test
    void depthOfWhatIsAddressed() {
        assertThat(depth("")).isEqualTo(new Target.Depth(1, 0));
        assertThat(depth("/fabric=f")).isEqualTo(new Target.Depth(3, 3));
        assertThat(depth("/fabric=f/mtu")).isEqualTo(new Target.Depth(4, 3));
        assertThat(depth("/fabric=f/switch=p1s1/admin-state")).isEqualTo(new Target.Depth(6, 5));
        assertThat(depth("/fabric=f/flow=x/rate")).isEqualTo(new Target.Depth(7, 5));
        assertThat(depth("/fabric=f/flow=x/share")).isEqualTo(new Target.Depth(7, 5));
    }

    /** The root holds the data of all others, too. */
    @Test
    void theRootHasNoTag() throws Exception {
        HttpServletRequest request = request("POST", "/rests/data", "application/yang-data+json", "{}");
        when(request.getHeader("If-Match")).thenReturn("*");
        filter.doFilter(request, response, restconf);
        verify(response).setStatus(412);
        assertThat(answer.toString(StandardCharsets.UTF_8)).contains("name a node");
        verify(restconf, never()).doFilter(any(), any());
    }
}
