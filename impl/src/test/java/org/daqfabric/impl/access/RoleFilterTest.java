package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import javax.servlet.FilterChain;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

/** A request passes if the highest role of its user allows it, or if its user has none of our roles. */
class RoleFilterTest {
    private final HttpServletResponse response = mock(HttpServletResponse.class);
    private final FilterChain rest = mock(FilterChain.class);
    private final Logins logins = new Logins();
    private final RoleFilter filter = new RoleFilter(logins);
    private final StringWriter answer = new StringWriter();

    private final HttpServletRequest request = mock(HttpServletRequest.class);

    private void send(String method, String path, String... roles) throws Exception {
        when(request.getMethod()).thenReturn(method);
        when(request.getRequestURI()).thenReturn(path);
        doAnswer(asked -> Set.of(roles).contains(asked.getArgument(0))).when(request).isUserInRole(any());
        when(response.getWriter()).thenReturn(new PrintWriter(answer, true));
        filter.doFilter(request, response, rest);
    }

    private void assertPassed() throws Exception {
        verify(rest).doFilter(any(), any());
        verify(response, never()).setStatus(anyInt());
    }

    private void assertRefused() throws Exception {
        verify(rest, never()).doFilter(any(), any());
        verify(response).setStatus(HttpServletResponse.SC_FORBIDDEN);
    }

    @Test
    void viewerReads() throws Exception {
        send("GET", "/rests/data/daqfabric:fabrics", "viewer");
        assertPassed();
    }

    @Test
    void viewerDoesNotWrite() throws Exception {
        send("DELETE", "/rests/data/daqfabric:fabrics", "viewer");
        assertRefused();
        assertThat(answer).hasToString("{\"errors\":{\"error\":[{\"error-type\":\"protocol\","
            + "\"error-tag\":\"access-denied\","
            + "\"error-message\":\"role viewer may not do this, which needs role operator\"}]}}");
    }

    /** The audit log keeps apart what was refused, and what a viewer may do, as that changes nothing. */
    @Test
    void whatChangesNothingIsMarked() throws Exception {
        send("DELETE", "/rests/data/daqfabric:fabrics", "viewer");
        verify(request).setAttribute("org.daqfabric.changes-nothing", true);
        clearInvocations(request);
        send("POST", "/rests/operations/daqfabric-operations:list-versions", "operator");
        verify(request).setAttribute("org.daqfabric.changes-nothing", true);
        clearInvocations(request);
        send("DELETE", "/rests/data/daqfabric:fabrics", "operator");
        verify(request, never()).setAttribute(any(), any());
    }

    @Test
    void whoMayHaveThePasswordThatAllKnowIsKeptOut() throws Exception {
        logins.unstored("the disk is full");
        when(request.getUserPrincipal()).thenReturn(() -> "admin@sdn");
        send("GET", "/rests/data/daqfabric:fabrics", "admin");
        verify(rest, never()).doFilter(any(), any());
        verify(response).setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        assertThat(answer.toString()).contains("free space");
        when(request.getUserPrincipal()).thenReturn(() -> "viewer@sdn");
        send("GET", "/rests/data/daqfabric:fabrics", "viewer");
        verify(rest).doFilter(any(), any());
        logins.unstored("");
        when(request.getUserPrincipal()).thenReturn(() -> "admin@sdn");
        send("GET", "/rests/data/daqfabric:fabrics", "admin");
        verify(rest, times(2)).doFilter(any(), any());
    }

    @Test
    void theHighestRoleCounts() throws Exception {
        send("DELETE", "/rests/data/daqfabric:fabrics", "viewer", "operator", "scraper");
        assertPassed();
    }

    @Test
    void adminMayDoEverything() throws Exception {
        send("GET", "/auth/v1/users", "admin", "user");
        assertPassed();
    }

    /** Those of OpenDaylight, which has them as it likes. */
    @Test
    void otherRolesAreNotLimited() throws Exception {
        send("GET", "/auth/v1/users", "user");
        assertPassed();
    }

    /** Where there is no login, there is nobody to refuse. */
    @Test
    void nobodyIsNotLimited() throws Exception {
        send("GET", "/other");
        assertPassed();
    }
}
