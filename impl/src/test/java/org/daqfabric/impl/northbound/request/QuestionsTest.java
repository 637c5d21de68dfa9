package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.atLeast;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.google.common.util.concurrent.Futures;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncListener;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.audit.SentBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.ArgumentCaptor;
import org.opendaylight.mdsal.dom.api.DOMRpcIdentifier;
import org.opendaylight.mdsal.dom.api.DOMRpcImplementation;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.mdsal.dom.broker.DOMRpcRouter;
import org.opendaylight.mdsal.dom.broker.RouterDOMRpcProviderService;
import org.opendaylight.mdsal.dom.broker.RouterDOMRpcService;
import org.opendaylight.mdsal.dom.spi.FixedDOMSchemaService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Plan;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Rules;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Schedule;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Trace;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Traffic;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Verify;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.WhatFails;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yangtools.binding.runtime.spi.BindingRuntimeHelpers;

/** Nobody fills the queue of plans and other questions alone, and none is read that is too large. */
class QuestionsTest {
    private static final String RPC = "/rests/operations/daqfabric-operations:";

    private static final String SMALL = "{\"input\":{}}" + " ".repeat((64 << 10) - 12);
    private static final String LARGE = SMALL + " ";

    private final FilterChain restconf = mock(FilterChain.class);
    private final List<AsyncListener> unanswered = new ArrayList<>();
    private DOMRpcRouter router;
    private RequestFilter filter;
    /** Negative for bodies that do not say how long they are. */
    private long length;

    private record Asked(HttpServletResponse response, ByteArrayOutputStream text) {
        String answer() {
            return text.toString(StandardCharsets.UTF_8);
        }
    }

    @BeforeEach
    void open() {
        DOMSchemaService models = new FixedDOMSchemaService(BindingRuntimeHelpers.createRuntimeContext(Fabrics.class,
            Plan.class).modelContext());
        router = new DOMRpcRouter(models);
        DOMRpcImplementation unanswering = (name, input) -> Futures.immediateCancelledFuture();
        new RouterDOMRpcProviderService(router).registerRpcImplementations(Stream.of(Plan.QNAME, Verify.QNAME,
            Traffic.QNAME, WhatFails.QNAME, Schedule.QNAME, Trace.QNAME, Rules.QNAME)
            .collect(Collectors.toMap(DOMRpcIdentifier::create, each -> unanswering)));
        filter = new RequestFilter(models, new RouterDOMRpcService(router));
    }

    @AfterEach
    void close() {
        filter.deactivate();
        router.close();
    }

    /** Sends a request, which is passed on to be answered later, or refused. */
    private Asked ask(String user, String role, String rpc, String body) throws IOException, ServletException {
        HttpServletRequest request = mock(HttpServletRequest.class);
        when(request.getMethod()).thenReturn("POST");
        when(request.getContextPath()).thenReturn("/rests");
        when(request.getRequestURI()).thenReturn(RPC + rpc);
        when(request.getContentType()).thenReturn("application/json");
        when(request.getInputStream()).thenReturn(new SentBody(body));
        when(request.getContentLengthLong()).thenReturn(length < 0 ? length : body.length());
        when(request.getUserPrincipal()).thenReturn((Principal) () -> user);
        when(request.isUserInRole(role)).thenReturn(true);
        when(request.isAsyncStarted()).thenReturn(true);
        AsyncContext later = mock(AsyncContext.class);
        when(request.getAsyncContext()).thenReturn(later);
        Asked asked = new Asked(mock(HttpServletResponse.class), new ByteArrayOutputStream());
        when(asked.response.getOutputStream()).thenReturn(new WrittenBody(asked.text));
        filter.doFilter(request, asked.response, restconf);
        ArgumentCaptor<AsyncListener> listener = ArgumentCaptor.forClass(AsyncListener.class);
        verify(later, atLeast(0)).addListener(listener.capture());
        unanswered.addAll(listener.getAllValues());
        return asked;
    }

    private boolean isPassed(String user, String role) throws IOException, ServletException {
        return isPassed(user, role, LARGE);
    }

    private boolean isPassed(String user, String role, String body) throws IOException, ServletException {
        return isPassed(user, role, "plan", body);
    }

    private boolean isPassed(String user, String role, String rpc, String body)
            throws IOException, ServletException {
        int before = unanswered.size();
        Asked asked = ask(user, role, rpc, body);
        if (unanswered.size() == before) {
            verify(asked.response).setStatus(409);
            assertThat(asked.answer()).contains("\"error-app-tag\":\"try-again\"", "ask again");
        }
        return unanswered.size() > before;
    }

    private void answer(int number) throws IOException {
        unanswered.get(number).onComplete(null);
    }

    @Test
    void oneUserHasOneLargePlanAtATime() throws Exception {
        assertThat(isPassed("anna", "operator")).isTrue();
        Asked second = ask("anna", "operator", "plan", SMALL);
        assertThat(second.answer()).contains("user anna waits for answers of rpc plan already");
        ask("anna", "operator", "what-fails", LARGE);
        assertThat(unanswered).as("others are counted by themselves").hasSize(2);
        assertThat(isPassed("bert", "operator")).isTrue();
        answer(0);
        assertThat(isPassed("anna", "operator")).isTrue();
    }

    /** As many as a user has at a time of each question; twice as many have all who may change nothing. */
    @ParameterizedTest
    @CsvSource({ "verify, 1", "traffic, 4", "what-fails, 4", "schedule, 4", "trace, 8", "rules, 8" })
    void whoMayChangeNothingDelaysNoOthers(String rpc, int most) throws Exception {
        for (String user : List.of("anna", "bert")) {
            for (int number = 0; number < most; number++) {
                assertThat(isPassed(user, "viewer", rpc, SMALL)).isTrue();
            }
            assertThat(isPassed(user, "viewer", rpc, SMALL)).isFalse();
        }
        assertThat(isPassed("carl", "viewer", rpc, SMALL)).isFalse();
        assertThat(isPassed("dora", "operator", rpc, SMALL)).isTrue();
        answer(0);
        assertThat(isPassed("anna", "viewer", rpc, SMALL)).isTrue();
    }

    /** As the page asks, where somebody selects one link after another. */
    @Test
    void orEightSmallOnes() throws Exception {
        for (int number = 0; number < 8; number++) {
            assertThat(isPassed("anna", "viewer", SMALL)).isTrue();
        }
        assertThat(isPassed("anna", "viewer", SMALL)).isFalse();
        assertThat(isPassed("bert", "viewer", LARGE)).isTrue();
        assertThat(isPassed("carl", "viewer", SMALL)).isFalse();
        answer(3);
        assertThat(isPassed("anna", "viewer", LARGE)).isFalse();
        assertThat(isPassed("anna", "viewer", SMALL)).isTrue();
    }

    /** It may be large. */
    @Test
    void oneThatDoesNotSayHowLongItIsCountsAsLarge() throws Exception {
        assertThat(isPassed("anna", "operator", SMALL)).isTrue();
        length = -1;
        assertThat(isPassed("anna", "operator", SMALL)).isFalse();
        assertThat(isPassed("bert", "operator", SMALL)).isTrue();
        assertThat(isPassed("bert", "operator", SMALL)).isFalse();
    }

    @Test
    void whoMayChangeNothingLeavesRoomForOthers() throws Exception {
        assertThat(isPassed("anna", "viewer")).isTrue();
        assertThat(isPassed("bert", "viewer")).isTrue();
        assertThat(isPassed("carl", "viewer")).isFalse();
        assertThat(isPassed("dora", "operator")).isTrue();
        assertThat(isPassed("emil", "operator")).isTrue();
        assertThat(isPassed("fred", "operator")).as("four are being made").isFalse();
        answer(1);
        assertThat(isPassed("carl", "viewer")).isTrue();
    }

    /** A request that ends at once, by a refusal or a fault, counts no more. */
    @Test
    void whatHasEndedDoesNotCount() throws Exception {
        HttpServletRequest failing = mock(HttpServletRequest.class);
        when(failing.getMethod()).thenReturn("POST");
        when(failing.getContextPath()).thenReturn("/rests");
        when(failing.getRequestURI()).thenReturn(RPC + "plan");
        when(failing.getUserPrincipal()).thenReturn((Principal) () -> "anna");
        when(failing.getInputStream()).thenThrow(new IOException("cut off"));
        for (int round = 0; round < 3; round++) {
            assertThatThrownBy(() -> filter.doFilter(failing, mock(HttpServletResponse.class), restconf))
                .hasMessage("cut off");
        }
        assertThat(isPassed("anna", "operator")).isTrue();
    }

    @Test
    void aCandidateOfAMillionEntriesIsNotRead() throws Exception {
        Asked asked = ask("anna", "viewer", "plan", "{\"input\":{\"candidate\":{\"pod\":["
            + "{\"id\":1},".repeat(1_000_000) + "{\"id\":2}]}}}");
        verify(restconf, never()).doFilter(any(), any());
        verify(asked.response).setStatus(413);
        assertThat(asked.answer()).contains("\"error-tag\":\"too-big\"", "/input/candidate/pod[");
    }
}
