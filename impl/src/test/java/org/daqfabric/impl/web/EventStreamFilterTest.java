package org.daqfabric.impl.web;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import javax.servlet.FilterChain;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proxies are told of event streams, and of nothing else, that they must not keep them back. */
class EventStreamFilterTest {
    private final HttpServletRequest request = mock(HttpServletRequest.class);
    private final HttpServletResponse response = mock(HttpServletResponse.class);
    private final FilterChain rest = mock(FilterChain.class);

    private void send(String path, String accepted) throws Exception {
        when(request.getRequestURI()).thenReturn(path);
        when(request.getHeader("Accept")).thenReturn(accepted);
        new EventStreamFilter().doFilter(request, response, rest);
    }

    @ParameterizedTest
    @CsvSource({
        "/rests/streams/json/urn-uuid-1, text/event-stream",
        "/rests/streams/json/urn-uuid-1, */*",
        "/rests/streams/json/urn-uuid-1,",
        "/other/stream, 'text/event-stream, */*;q=0.1'"
    })
    void streamIsMarkedBeforeItBegins(String path, String accepted) throws Exception {
        send(path, accepted);
        var order = inOrder(response, rest);
        order.verify(response).setHeader("X-Accel-Buffering", "no");
        order.verify(response).setHeader("Cache-Control", "no-cache, no-transform");
        order.verify(rest).doFilter(request, response);
    }

    @Test
    void othersPass() throws Exception {
        send("/rests/data/daqfabric:fabrics", "application/yang-data+json");
        verify(response, never()).setHeader(any(), any());
        verify(rest).doFilter(request, response);
    }
}
