package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.audit.UserFilter;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;

/** Nobody holds all threads of the web server; RestconfAttackIT tries it with bodies that do not end. */
class ThreadFilterTest {
    private static final String GOODPUT = "/operations/daqfabric-planning:goodput";
    private static final String STOP = "/operations/daqfabric-run-control:stop-run";
    /** As the same path may be sent. */
    private static final String STOP_ENCODED = "/operations/daqfabric%2Drun-control%3Astop-run";

    private static final Asked VIEWER = new Asked("anna", "viewer", GOODPUT);
    private static final Asked OPERATOR = new Asked("otto", "operator", GOODPUT);
    private static final Asked RUN_CONTROL = new Asked("otto", "operator", STOP);
    private static final Asked ADMIN = new Asked("ada", "admin", GOODPUT);
    private static final Asked STRANGER = new Asked("", "", "/x");

    private final ThreadFilter filter = new ThreadFilter(mock(DOMSchemaService.class));

    /** A request of somebody; user and role are empty for who is not logged in. */
    private record Asked(String user, String role, String path) {
        HttpServletRequest request() {
            HttpServletRequest request = mock(HttpServletRequest.class);
            when(request.getMethod()).thenReturn("POST");
            when(request.getContextPath()).thenReturn("/rests");
            when(request.getRequestURI()).thenReturn("/rests" + path);
            when(request.getRemoteAddr()).thenReturn("192.0.2.7");
            if (!user.isEmpty()) {
                // as UserFilter notes it
                when(request.getAttribute("org.daqfabric.user")).thenReturn(user);
                assertThat(UserFilter.user(request)).contains(user);
                when(request.getUserPrincipal()).thenReturn(() -> user);
                when(request.isUserInRole(role)).thenReturn(true);
            }
            return request;
        }
    }

    private static final class Answer {
        private final HttpServletResponse response = mock(HttpServletResponse.class);
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        String text() {
            return body.toString(StandardCharsets.UTF_8);
        }
    }

    private Answer ask(Asked asked, FilterChain next) throws IOException, ServletException {
        Answer answer = new Answer();
        when(answer.response.getOutputStream()).thenReturn(new WrittenBody(answer.body));
        filter.doFilter(asked.request(), answer.response, next);
        return answer;
    }

    private boolean isPassed(Asked asked) throws IOException, ServletException {
        FilterChain next = mock(FilterChain.class);
        Answer answer = ask(asked, next);
        if (answer.text().isEmpty()) {
            return true;
        }
        verify(answer.response).setStatus(503);
        verify(answer.response).setHeader("Retry-After", "1");
        verify(answer.response).setHeader("Connection", "close");
        assertThat(answer.text()).contains("\"error-tag\":\"resource-denied\"", "ask again in a second");
        verifyNoInteractions(next);
        return false;
    }

    /** What is looked at while requests are under way. */
    private interface Look {
        void look() throws IOException, ServletException;
    }

    /** Requests that are passed on, one inside the other, and do not end before it was looked. */
    private void whileUnderWay(Stream<List<Asked>> requests, Look look) throws IOException, ServletException {
        next(requests.flatMap(List::stream).iterator(), look);
    }

    private void next(Iterator<Asked> requests, Look look) throws IOException, ServletException {
        if (requests.hasNext()) {
            assertThat(ask(requests.next(), (request, response) -> next(requests, look)).text()).isEmpty();
        } else {
            look.look();
        }
    }

    private static List<Asked> times(int count, Asked asked) {
        return Collections.nCopies(count, asked);
    }

    private static List<Asked> readers() {
        return Stream.of(times(Threads.OF_USER, VIEWER),
            times(Threads.OF_READERS - Threads.OF_USER, new Asked("sam", "scraper", "/x")))
            .flatMap(List::stream).toList();
    }

    @Test
    void aUserHasAShareUntilItsRequestsHaveEnded() throws Exception {
        whileUnderWay(Stream.of(times(Threads.OF_USER, VIEWER)), () -> {
            assertThat(isPassed(VIEWER)).isFalse();
            assertThat(ask(VIEWER, (request, response) -> { }).text()).contains("user anna has 50 requests under way");
            assertThat(isPassed(new Asked("bert", "viewer", GOODPUT))).isTrue();
        });
        assertThat(isPassed(VIEWER)).isTrue();
    }

    @Test
    void whoMayChangeNothingLeavesThreadsToWhoMay() throws Exception {
        whileUnderWay(Stream.of(readers()), () -> {
            assertThat(isPassed(new Asked("bert", "viewer", GOODPUT))).isFalse();
            assertThat(isPassed(new Asked("bert", "viewer", STOP))).isFalse();
            assertThat(isPassed(STRANGER)).isFalse();
            whileUnderWay(Stream.of(times(Threads.OF_USER, OPERATOR)), () -> assertThat(isPassed(ADMIN)).isTrue());
        });
    }

    /** Whoever else has all threads. */
    @Test
    void thereIsAReserveForRunControlAndAdministrators() throws Exception {
        Asked other = new Asked("olga", "operator", GOODPUT);
        whileUnderWay(Stream.of(readers(), times(Threads.OF_USER, OPERATOR),
            times(Threads.ALL - Threads.OF_READERS - Threads.OF_USER, other)), () -> {
                assertThat(isPassed(other)).isFalse();
                assertThat(ask(other, (request, response) -> { }).text()).contains("requests of others hold");
                assertThat(isPassed(RUN_CONTROL)).isTrue();
                assertThat(isPassed(new Asked("otto", "operator", STOP_ENCODED))).isTrue();
                assertThat(isPassed(ADMIN)).isTrue();
                whileUnderWay(Stream.of(times(Threads.RESERVE_OF_USER, RUN_CONTROL)), () -> {
                    assertThat(isPassed(RUN_CONTROL)).as("nobody has the reserve alone").isFalse();
                    assertThat(isPassed(ADMIN)).isTrue();
                });
            });
    }

    @Test
    void anAddressCountsWhereNobodyIsLoggedIn() throws Exception {
        whileUnderWay(Stream.of(times(Threads.OF_USER, STRANGER)), () -> {
            assertThat(isPassed(STRANGER)).isFalse();
            assertThat(isPassed(VIEWER)).isTrue();
        });
    }

    /** Or goes on without a thread: the filter's call has ended then, too. */
    @Test
    void whatFailsHasEnded() throws Exception {
        for (int count = 0; count < 2 * Threads.OF_USER; count++) {
            assertThatThrownBy(() -> ask(VIEWER, (request, response) -> {
                throw new IOException("cut off");
            })).hasMessage("cut off");
        }
        assertThat(isPassed(VIEWER)).isTrue();
    }
}
