package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.FilterChain;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.daqfabric.impl.audit.UserFilter;
import org.junit.jupiter.api.Test;

/** Of the web server's logins too many are refused, before anybody looks at them. */
class LoginGuardTest {
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;

    private long now = 5;
    private final Logins logins = new Logins(() -> now);
    private final LoginGuard guard = new LoginGuard(logins, new ProxiedRequests(""));
    private final List<String> looked = new ArrayList<>();
    private final Map<String, String> headers = new HashMap<>();
    private String body = "";

    /** The status of the answer to a request with this password; the site lets "right" in. */
    private int ask(String address, String password, FilterChain site) throws Exception {
        Map<String, Object> attributes = new HashMap<>();
        HttpServletRequest request = mock(HttpServletRequest.class);
        when(request.getMethod()).thenReturn("PUT");
        when(request.getRequestURI()).thenReturn("/rests/data/daqfabric:fabrics");
        when(request.getRemoteAddr()).thenReturn(address);
        when(request.getHeader("Authorization")).thenReturn(password.isEmpty() ? null : "Basic " + Base64.getEncoder()
            .encodeToString(("admin:" + password).getBytes(StandardCharsets.UTF_8)));
        doAnswer(set -> attributes.put(set.getArgument(0), set.getArgument(1))).when(request)
            .setAttribute(any(), any());
        when(request.getAttribute(any())).thenAnswer(asked -> attributes.get(asked.<String>getArgument(0)));
        HttpServletResponse response = mock(HttpServletResponse.class);
        AtomicInteger status = new AtomicInteger(OK);
        when(response.getStatus()).thenAnswer(asked -> status.get());
        doAnswer(set -> {
            status.set(set.getArgument(0));
            return null;
        }).when(response).setStatus(anyInt());
        headers.clear();
        doAnswer(set -> headers.put(set.getArgument(0), set.getArgument(1))).when(response).setHeader(any(), any());
        StringWriter answer = new StringWriter();
        when(response.getWriter()).thenReturn(new PrintWriter(answer, true));
        guard.doFilter(request, response, (passed, answered) -> {
            looked.add(password);
            if (password.equals("right")) {
                UserFilter.isLoggedIn(passed, "admin@sdn");
                site.doFilter(passed, answered);
            } else if (password.startsWith("wrong")) {
                ((HttpServletResponse) answered).setStatus(UNAUTHORIZED);
            } else {
                site.doFilter(passed, answered);
            }
        });
        body = answer.toString();
        return status.get();
    }

    private int ask(String address, String password) throws Exception {
        return ask(address, password, (request, response) -> { });
    }

    @Test
    void tooManyAreRefusedUntilATime() throws Exception {
        for (int each = 0; each < 10; each++) {
            assertThat(ask("10.0.0.1", "wrong " + each)).isEqualTo(UNAUTHORIZED);
        }
        looked.clear();
        assertThat(ask("10.0.0.1", "wrong again")).isEqualTo(LoginGuard.TOO_MANY_REQUESTS);
        assertThat(ask("10.0.0.1", "right")).isEqualTo(LoginGuard.TOO_MANY_REQUESTS);
        assertThat(looked).isEmpty();
        assertThat(headers).containsEntry("Retry-After", "1").containsEntry("Connection", "close");
        assertThat(body).contains("try again in 1 s", "\"error-tag\":\"resource-denied\"");
        assertThat(logins.counts()).containsEntry("wrong", 10L).containsEntry("too-many", 2L);
        now += FailedLogins.SECOND;
        assertThat(ask("10.0.0.1", "right")).isEqualTo(OK);
        assertThat(ask("10.0.0.1", "right")).isEqualTo(OK);
    }

    /** One who has logged in before, and one who gives no password, are as they were. */
    @Test
    void othersAreNotMeant() throws Exception {
        assertThat(ask("10.0.0.2", "right")).isEqualTo(OK);
        for (int each = 0; each < 1000; each++) {
            ask("10.0.0.1", "wrong " + each);
            assertThat(ask("10.0.0.2", "right")).isEqualTo(OK);
            assertThat(ask("10.0.0.1", "")).isEqualTo(OK);
        }
        assertThat(logins.refused()).containsOnlyKeys("10.0.0.1");
    }

    /** Who has a session of his own has not given the password of somebody else. */
    @Test
    void theSessionOfAnotherUserIsNoLogin() throws Exception {
        FilterChain session = (request, response) -> UserFilter.isLoggedIn(request, "viewer@sdn");
        for (int each = 0; each < 10; each++) {
            ask("10.0.0.1", "wrong " + each);
        }
        now += FailedLogins.SECOND;
        assertThat(ask("10.0.0.1", "any", session)).isEqualTo(OK);
        assertThat(ask("10.0.0.1", "other", session)).isEqualTo(LoginGuard.TOO_MANY_REQUESTS);
    }

    /** A site that needs no login, and one that fails, say nothing about a password. */
    @Test
    void onlyALoginCounts() throws Exception {
        for (int each = 0; each < 100; each++) {
            assertThat(ask("10.0.0.1", "", (request, response) -> ((HttpServletResponse) response)
                .setStatus(UNAUTHORIZED))).isEqualTo(UNAUTHORIZED);
            assertThat(ask("10.0.0.1", "right", (request, response) -> ((HttpServletResponse) response)
                .setStatus(UNAUTHORIZED))).isEqualTo(UNAUTHORIZED);
        }
        assertThat(logins.counts()).containsEntry("wrong", 0L).containsEntry("too-many", 0L);
    }
}
