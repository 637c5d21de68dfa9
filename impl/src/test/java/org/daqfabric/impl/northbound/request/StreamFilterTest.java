package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncListener;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.audit.SentBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;

/** Which requests take places, and when those are given back. */
class StreamFilterTest {
    private static final String MAKE = "/rests/operations/sal-remote:create-notification-stream";

    private final Set<String> there = new HashSet<>();
    private final StreamFilter filter = new StreamFilter(mock(DOMSchemaService.class),
        new Streams(new Streams.Registered() {
            @Override
            public boolean exists(String name) {
                return there.contains(name);
            }

            @Override
            public void endUnread(String name) {
                there.remove(name);
            }
        }, () -> 0));
    private int made;

    @AfterEach
    void close() {
        filter.deactivate();
    }

    private static HttpServletRequest request(String method, String path, String body) throws Exception {
        HttpServletRequest request = mock(HttpServletRequest.class);
        when(request.getMethod()).thenReturn(method);
        when(request.getContextPath()).thenReturn("/rests");
        when(request.getRequestURI()).thenReturn(path);
        when(request.getUserPrincipal()).thenReturn(() -> "anna");
        when(request.isUserInRole("viewer")).thenReturn(true);
        when(request.getInputStream()).thenReturn(new SentBody(body));
        return request;
    }

    /** An answer that can be read again. */
    private static final class Answer {
        private final HttpServletResponse response = mock(HttpServletResponse.class);
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private int status = 200;
        private String type = "";

        Answer() throws Exception {
            doAnswer(call -> status = call.getArgument(0)).when(response).setStatus(anyInt());
            doAnswer(call -> type = call.getArgument(0)).when(response).setContentType(anyString());
            when(response.getStatus()).thenAnswer(call -> status);
            when(response.getContentType()).thenAnswer(call -> type);
            when(response.getOutputStream()).thenReturn(new WrittenBody(body));
        }

        @Override
        public String toString() {
            return status + " " + type + " " + body.toString(StandardCharsets.UTF_8);
        }
    }

    private Answer ask(String method, String path, String body, FilterChain restconf) throws Exception {
        Answer answer = new Answer();
        filter.doFilter(request(method, path, body), answer.response, restconf);
        return answer;
    }

    /** As RESTCONF makes a stream: it reads what was sent and names the stream. */
    private Answer make(String path, String body) throws Exception {
        return ask("POST", path, body, (request, response) -> {
            assertThat(request.getInputStream().readAllBytes()).isEqualTo(body.getBytes(StandardCharsets.UTF_8));
            String name = "urn:uuid:" + new UUID(1, ++made);
            there.add(name);
            ((HttpServletResponse) response).setStatus(200);
            response.setContentType("application/yang-data+json");
            response.getOutputStream().write(("{\"id\":\"" + name + "\"}").getBytes(StandardCharsets.UTF_8));
        });
    }

    @Test
    void theSameRequestIsAnsweredWithTheSameStream() throws Exception {
        Answer first = make(MAKE, "x");
        assertThat(first.toString()).startsWith("200 application/yang-data+json {\"id\":\"urn:uuid:");
        assertThat(make(MAKE, "x").toString()).isEqualTo(first.toString());
        assertThat(made).isEqualTo(1);
        assertThat(make(MAKE, "y").toString()).isNotEqualTo(first.toString());
        // who reads it sends its name as text or encoded
        String name = first.body.toString(StandardCharsets.UTF_8).substring(7, 52);
        ask("GET", "/rests/streams/json/" + name.replace(":", "%3A"), "", (request, response) -> { });
        assertThat(make(MAKE, "x").toString()).isNotEqualTo(first.toString());
    }

    /** However the address is written. */
    @Test
    void whoMakesTooManyIsRefused() throws Exception {
        String[] paths = { MAKE, MAKE + "/", MAKE.replace("sal-remote", "%73al-remote"), MAKE.replace(":", "%3A"),
            "/rests/operations/sal-remote:create-data-change-event-subscription",
            "/rests/operations/odl-device-notification:subscribe-device-notification" };
        for (int count = 0; count < Streams.OF_USER; count++) {
            assertThat(make(paths[count % paths.length], "body " + count).status).isEqualTo(200);
        }
        for (String path : paths) {
            Answer refused = make(path, "one more");
            assertThat(refused.toString()).startsWith("409 application/yang-data+json").contains("resource-denied",
                "\"error-app-tag\":\"try-again\"", "user anna has 64 of 64");
        }
        assertThat(made).isEqualTo(Streams.OF_USER);
        there.remove("urn:uuid:" + new UUID(1, 7));
        assertThat(make(MAKE, "one more").status).isEqualTo(200);
    }

    @Test
    void whatFailsTakesNoPlace() throws Exception {
        for (int count = 0; count < 2 * Streams.OF_USER; count++) {
            Answer refused = ask("POST", MAKE, "body " + count, (request, response) ->
                ((HttpServletResponse) response).setStatus(400));
            assertThat(refused.status).isEqualTo(400);
            String body = "other " + count;
            assertThatThrownBy(() -> ask("POST", MAKE, body, (request, response) -> {
                throw new ServletException("fails");
            })).isInstanceOf(ServletException.class);
        }
        assertThat(make(MAKE, "x").status).isEqualTo(200);
    }

    @Test
    void aConnectionThatReadsTakesAPlaceUntilItEnds() throws Exception {
        AsyncContext context = mock(AsyncContext.class);
        ArgumentCaptor<AsyncListener> listener = ArgumentCaptor.forClass(AsyncListener.class);
        for (int count = 0; count < Streams.OF_USER; count++) {
            assertThat(read(context).status).isEqualTo(200);
        }
        assertThat(read(context).toString()).contains("409 ", "too many connections that read events");
        verify(context, times(Streams.OF_USER)).addListener(listener.capture());
        listener.getValue().onComplete(null);
        assertThat(read(context).status).isEqualTo(200);
    }

    private Answer read(AsyncContext context) throws Exception {
        HttpServletRequest request = request("GET", "/rests/%73treams/json/x", "");
        Answer answer = new Answer();
        filter.doFilter(request, answer.response, (asked, response) -> {
            when(request.isAsyncStarted()).thenReturn(true);
            when(request.getAsyncContext()).thenReturn(context);
        });
        return answer;
    }

    @Test
    void otherRequestsAreNotEvenWrapped() throws Exception {
        for (String[] each : new String[][] { { "GET", MAKE }, { "POST", "/rests/streams/json/x" },
            { "POST", "/rests/operations/daqfabric-operations:plan" }, { "GET", "/rests/data/daqfabric:fabrics" },
            { "POST", "/rests/operations/%zz" } }) {
            HttpServletRequest request = request(each[0], each[1], "");
            Answer answer = new Answer();
            FilterChain restconf = mock(FilterChain.class);
            filter.doFilter(request, answer.response, restconf);
            verify(restconf).doFilter(request, answer.response);
            verify(request, never()).isUserInRole(any());
        }
    }
}
