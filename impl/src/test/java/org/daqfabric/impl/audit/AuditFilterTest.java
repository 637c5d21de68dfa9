package org.daqfabric.impl.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncListener;
import javax.servlet.FilterChain;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.mockito.ArgumentCaptor;

/** Each request has one line, whenever and however it is answered; in tests the log goes to standard error. */
class AuditFilterTest {
    private static final String FABRIC = "/rests/data/daqfabric:fabrics/fabric=f";

    @RegisterExtension
    final AuditLines audited = new AuditLines();
    private final HttpServletResponse response = mock(HttpServletResponse.class);

    private static HttpServletRequest request(String method, String path, String body) throws IOException {
        HttpServletRequest request = mock(HttpServletRequest.class);
        when(request.getMethod()).thenReturn(method);
        when(request.getRequestURI()).thenReturn(path);
        when(request.getRemoteAddr()).thenReturn("192.0.2.1");
        when(request.getRemotePort()).thenReturn(4321);
        when(request.getInputStream()).thenReturn(new SentBody(body));
        return request;
    }

    private void ask(HttpServletRequest request, FilterChain site) throws Exception {
        new AuditFilter().doFilter(request, response, site);
    }

    @Test
    void aChangeHasItsUserAddressBodyAndStatus() throws Exception {
        HttpServletRequest request = request("PUT", FABRIC, "{\"x\":1}");
        when(request.getAttribute(UserFilter.USER)).thenReturn("anna@sdn");
        when(request.getHeader("X-Daqfabric-Reason")).thenReturn("new cables");
        when(request.getQueryString()).thenReturn("insert=first");
        when(response.getStatus()).thenReturn(204);
        ask(request, (passed, answer) -> passed.getInputStream().readAllBytes());
        assertThat(audited.of("reads")).isEmpty();
        assertThat(audited.of("changes")).singleElement().satisfies(line -> {
            assertThat(line.remove("time").getAsString()).endsWith("Z");
            line.remove("milliseconds");
            assertThat(line).isEqualTo(JsonParser.parseString("{\"via\":\"http\",\"from\":\"192.0.2.1:4321\","
                + "\"user\":\"anna@sdn\",\"method\":\"PUT\",\"path\":\"" + FABRIC + "?insert=first\","
                + "\"reason\":\"new cables\",\"body\":\"{\\\"x\\\":1}\",\"status\":204}"));
        });
    }

    /** However many there are of them, they push no change out of the log. */
    @Test
    void whatIsReadAndWhoIsNotLetInIsKeptApart() throws Exception {
        when(response.getStatus()).thenReturn(200);
        ask(request("GET", FABRIC, ""), (passed, answer) -> { });
        when(response.getStatus()).thenReturn(401);
        HttpServletRequest stranger = request("DELETE", FABRIC, "");
        when(stranger.getHeader("Authorization")).thenReturn("Basic " + Base64.getEncoder()
            .encodeToString("mallory\n:secret".getBytes(StandardCharsets.UTF_8)));
        ask(stranger, (passed, answer) -> { });
        assertThat(audited.of("changes")).isEmpty();
        assertThat(audited.of("reads")).extracting(line -> line.get("status").getAsInt()).containsExactly(200, 401);
        assertThat(audited.of("reads").get(1).get("claimed-user").getAsString()).isEqualTo("mallory\n");
        assertThat(audited.text()).doesNotContain("secret");
    }

    /** A request that a role is not for, or that reads by an rpc, can be made as often as a user likes. */
    @Test
    void whatChangesNothingIsKeptApart() throws Exception {
        when(response.getStatus()).thenReturn(403);
        HttpServletRequest refused = request("PUT", FABRIC, "");
        AuditMark.changesNothing(refused);
        verify(refused).setAttribute("org.daqfabric.changes-nothing", true);
        when(refused.getAttribute("org.daqfabric.changes-nothing")).thenReturn(true);
        ask(refused, (passed, answer) -> { });
        assertThat(audited.of("changes")).isEmpty();
        ask(request("PUT", FABRIC, ""), (passed, answer) -> { });
        assertThat(audited.of("changes")).hasSize(1);
        assertThat(audited.of("reads")).hasSize(1);
    }

    /** The bodies of other sites have passwords; of those about users it is kept whom they are about. */
    @Test
    void onlyBodiesOfDaqfabricAreKept() throws Exception {
        when(response.getStatus()).thenReturn(201);
        ask(request("POST", "/rests/data/aaa-cert:aaa-cert-service-config", "{\"password\":\"secret\"}"),
            (passed, answer) -> passed.getInputStream().readAllBytes());
        ask(request("PUT", FABRIC, "y".repeat(3000)), (passed, answer) -> passed.getInputStream().readAllBytes());
        assertThat(audited.of("changes").get(0).has("body")).isFalse();
        assertThat(audited.of("changes").get(1).get("body").getAsString()).hasSizeLessThan(1100)
            .endsWith("y... 3000 bytes");
    }

    @Test
    void whoseAccountIsChangedIsKeptAndNoPassword() throws Exception {
        when(response.getStatus()).thenReturn(201);
        for (String body : List.of("{\"name\":\"anna\",\"password\":\"secret\",\"enabled\":1,\"email\":\"secret\"}",
            "{\"roleid\":\"viewer@sdn\"}", "{\"name\":{\"password\":\"secret\"}}", "{\"password\":\"secret",
            "[\"secret\"]", "{\"name\":\"x\",\"description\":\"" + "secret".repeat(500) + "\"}")) {
            ask(request("POST", "/auth/v1/users", body), (passed, answer) -> passed.getInputStream().readAllBytes());
        }
        assertThat(audited.of("changes")).hasSize(6);
        assertThat(audited.of("changes").get(0).get("body").getAsString())
            .isEqualTo("{\"name\":\"anna\",\"password\":\"(not shown)\",\"enabled\":1}");
        assertThat(audited.of("changes").get(1).get("body").getAsString()).isEqualTo("{\"roleid\":\"viewer@sdn\"}");
        assertThat(audited.of("changes").subList(2, 6)).noneMatch(line -> line.has("body"));
        assertThat(audited.text()).doesNotContain("secret");
    }

    @Test
    void anAnswerOnAnotherThreadIsAwaited() throws Exception {
        HttpServletRequest request = request("PUT", FABRIC, "");
        AsyncContext async = mock(AsyncContext.class);
        when(request.isAsyncStarted()).thenReturn(true);
        when(request.getAsyncContext()).thenReturn(async);
        ask(request, (passed, answer) -> { });
        assertThat(audited.of("changes")).isEmpty();
        ArgumentCaptor<AsyncListener> listener = ArgumentCaptor.forClass(AsyncListener.class);
        verify(async).addListener(listener.capture());
        when(response.getStatus()).thenReturn(409);
        listener.getValue().onComplete(null);
        listener.getValue().onError(null);
        assertThat(audited.of("changes")).singleElement().matches(line -> line.get("status").getAsInt() == 409);
    }

    @Test
    void aFailureOfTheServerIsOne() throws Exception {
        assertThatThrownBy(() -> ask(request("PUT", FABRIC, ""), (passed, answer) -> {
            throw new IOException("broken");
        })).isInstanceOf(IOException.class);
        assertThat(audited.of("changes")).singleElement().matches(line -> line.get("status").getAsInt() == 500);
    }

    @Test
    void theUserIsNotedAfterTheLogin() throws Exception {
        HttpServletRequest request = request("GET", FABRIC, "");
        when(request.getUserPrincipal()).thenReturn(() -> "anna@sdn");
        FilterChain site = mock(FilterChain.class);
        new UserFilter().doFilter(request, response, site);
        verify(request).setAttribute(UserFilter.USER, "anna@sdn");
        verify(site).doFilter(any(), any());
    }
}
