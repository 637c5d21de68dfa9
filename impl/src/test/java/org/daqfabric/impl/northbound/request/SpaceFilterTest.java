package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import javax.servlet.FilterChain;
import javax.servlet.ServletRequest;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.audit.SentBody;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.ArgumentCaptor;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;

/** What is refused while space is short, and what the rest is kept for; ControllerAlarmsIT fills a disk. */
class SpaceFilterTest {
    private static final String FABRICS = "/rests/data/daqfabric:fabrics/";
    private static final String WHY = "120 MiB are free: free more";

    private final HttpServletResponse response = mock(HttpServletResponse.class);
    private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
    private final FilterChain restconf = mock(FilterChain.class);
    private Optional<String> refusal = Optional.of(WHY);
    private final SpaceFilter filter = new SpaceFilter(mock(DOMSchemaService.class), () -> refusal);

    @BeforeEach
    void open() throws IOException {
        when(response.getOutputStream()).thenReturn(new WrittenBody(answer));
    }

    private static HttpServletRequest request(String method, String path) {
        HttpServletRequest request = mock(HttpServletRequest.class);
        when(request.getMethod()).thenReturn(method);
        when(request.getContextPath()).thenReturn("/rests");
        when(request.getRequestURI()).thenReturn(path);
        return request;
    }

    private HttpServletRequest send(String method, String path) throws Exception {
        HttpServletRequest request = request(method, path);
        filter.doFilter(request, response, restconf);
        return request;
    }

    @ParameterizedTest
    @CsvSource({ "PUT,/rests/data/daqfabric:fabrics/fabric=x", "PATCH,/rests/data", "POST,/rests/data/",
        "DELETE,/rests/data/daqfabric:fabrics/fabric=x", "PUT,/rests/%64ata/network-topology:network-topology",
        "POST,/rests/operations/daqfabric-backup:restore", "POST,/rests/operations/daqfabric-backup%3Arestore/",
        "POST,/rests/operations/daqfabric-operations:roll-back" })
    void configurationIsRefusedUnread(String method, String path) throws Exception {
        HttpServletRequest request = send(method, path);
        verify(restconf, never()).doFilter(any(), any());
        verify(response).setStatus(507);
        verify(response).setHeader("Connection", "close");
        verify(request, never()).getInputStream();
        // no change in the audit log
        verify(request).setAttribute(anyString(), eq(true));
        assertThat(answer.toString(StandardCharsets.UTF_8)).contains("\"error-tag\":\"resource-denied\"", WHY)
            .doesNotContain("try-again");
    }

    /** The body of a request that says how long it is, in JSON. */
    private HttpServletRequest change(String method, String path, String body) throws IOException {
        String json = body.replace('\'', '"');
        HttpServletRequest request = request(method, path);
        when(request.getContentType()).thenReturn("application/yang-data+json");
        when(request.getContentLengthLong()).thenReturn((long) json.length());
        when(request.getInputStream()).thenReturn(new SentBody(json));
        return request;
    }

    /** To drain and undrain, as the documentation and the page do it; the next filter has the body, too. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        PATCH | fabric=f | {'daqfabric:fabric':[{'name':'f','switch':[{'name':'p1s1','admin-state':'drained'}]}]}
        PATCH | fabric=f | {'fabric':[{'name':'f','link':[{'switch':'a','port':'b','admin-state':'in-service'}]}]}
        PUT | fabric=f/switch=p1s1/admin-state | {'daqfabric:admin-state':'drained'}
        """)
    void administrativeStatesAreTaken(String method, String path, String body) throws Exception {
        filter.doFilter(change(method, FABRICS + path, body), response, restconf);
        ArgumentCaptor<ServletRequest> passed = ArgumentCaptor.captor();
        verify(restconf).doFilter(passed.capture(), eq(response));
        assertThat(passed.getValue().getInputStream().readAllBytes()).asString().isEqualTo(body.replace('\'', '"'));
        verify(response, never()).setStatus(507);
    }

    /** All that is more than that, elsewhere, or longer than what a hand writes. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        PATCH | fabric=f | {'fabric':[{'name':'f','mtu':9000,'switch':[{'name':'p1s1','admin-state':'drained'}]}]}
        PUT | fabric=f | {'fabric':[{'name':'f'}]}
        PATCH | fabric=f | {'fabric':[{'name':'f','switch':[{'name':'p1s1','admin-state':'drained'},null]}]}
        PATCH | fabric=f | {'fabric':[{'name':'f','switch':[{'name':'p1s1','admin-state'
        PATCH | fabric=f | 'admin-state'
        POST | fabric=f | {'switch':[{'name':'p1s1','admin-state':'drained'}]}
        PUT | ../network-topology:network-topology | {'daqfabric:admin-state':'drained'}
        """)
    void whateverElseIsRefused(String method, String path, String body) throws Exception {
        filter.doFilter(change(method, path.startsWith("..") ? "/rests/data/" + path.substring(3) : FABRICS + path,
            body), response, restconf);
        filter.doFilter(change("PUT", FABRICS + "fabric=f/switch=p1s1/admin-state",
            "{'admin-state':'drained'}" + " ".repeat(4096)), response, restconf);
        verify(restconf, never()).doFilter(any(), any());
        verify(response, times(2)).setStatus(507);
    }

    @Test
    void inXmlIfThatIsWanted() throws Exception {
        HttpServletRequest request = request("PUT", "/rests/data/daqfabric:fabrics");
        when(request.getHeader("Accept")).thenReturn("application/yang-data+xml");
        filter.doFilter(request, response, restconf);
        verify(response).setContentType("application/yang-data+xml");
        assertThat(answer.toString(StandardCharsets.UTF_8)).contains("<error-tag>resource-denied</error-tag>", WHY);
    }

    /** Every rpc of ours but the two that store configuration. */
    static Stream<String> otherRpcs() throws IOException {
        try (InputStream roles = SpaceFilterTest.class.getResourceAsStream("/org/daqfabric/impl/access/rpcs.txt")) {
            return new String(roles.readAllBytes(), StandardCharsets.UTF_8).lines()
                .filter(line -> !line.isEmpty() && !line.startsWith("#")).map(line -> line.split(" ")[1])
                .filter(rpc -> !rpc.endsWith(":restore") && !rpc.endsWith(":roll-back")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("otherRpcs")
    void runsRepairsAndAlarmsGoOn(String rpc) throws Exception {
        HttpServletRequest request = send("POST", "/rests/operations/" + rpc);
        verify(restconf).doFilter(request, response);
    }

    @ParameterizedTest
    @CsvSource({ "GET,/rests/data/daqfabric:fabrics", "HEAD,/rests/data", "OPTIONS,/rests/data",
        "GET,/rests/operations/daqfabric-backup:restore", "GET,/rests/streams/json/x" })
    void readsAreServed(String method, String path) throws Exception {
        HttpServletRequest request = send(method, path);
        verify(restconf).doFilter(request, response);
    }

    @Test
    void writesAreTakenAgainWhenThereIsSpace() throws Exception {
        refusal = Optional.empty();
        HttpServletRequest request = send("PUT", "/rests/data/daqfabric:fabrics/fabric=x");
        verify(restconf).doFilter(request, response);
        verify(request, never()).setAttribute(anyString(), anyBoolean());
    }
}
